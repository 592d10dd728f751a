/**
 * Word lists of general clinical English. They are the embedded model's whole knowledge of medicine: kinds of words,
 * never sentences or values of any data set.
 */
const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/** Carry no content in speech or in notes. */
export const stopWords: ReadonlySet<string> = new Set(
  words(`
a an the and or but if so then than that this these those there here it its it's he she they them his her their him i
i'm i've i'd i'll me my mine myself you you're you've you'll you'd your yours we we've we'll we're us our ours who whom
which what what's when where why how is isn't are aren't was wasn't were weren't be been being am do does did done doing
have has had having can can't could couldn't will won't would wouldn't shall should shouldn't may might must of in on at
to from by for with about as into onto over under up down out off again just very really quite too also all any some
each every both either more most much many lot lots bit little kind sort like well okay ok yeah yes yep yup mm hm hmm um
uh er erm ah oh hello hi hey bye thanks thank please sorry sure fine right good great lovely alright actually basically
anyway maybe perhaps probably though still even ever only own same other another such else because cause cos 'cause
thing things something anything everything nothing stuff get gets getting got gotten go goes going gone went come comes
coming came make makes making made take takes taking took taken put puts say says said saying tell told think thought
know knows knew see seen look looks looking looked want wants wanted need needs let let's lets give gives gave given
keep keeps kept try trying tried mean means feel feels feeling felt seem seems happen happens happened way ways while
time times now today yesterday back before after between through during until since ago yet already soon later last next
first one two mr mrs ms miss dr doctor doc patient reports states says s t d ll re ve m don doesn didn isn wasn couldn
wouldn shouldn haven hasn hadn aren weren gonna wanna gotta nope nah blimey goodness god gosh honest honestly fair
bet course exactly absolutely definitely suppose guess reckon mind love darling mate dear bless wow ha cheers
pop have haven't hasn't hadn't don't doesn't didn't not no never none nor without nil non denies deny denied
per via eg ie etc cf ref re vs plus minus
`)
)

/** Headings of a note's sections: they say where, not what. */
export const headingWords: ReadonlySet<string> = new Set(
  words(`pc hpc hpi pmh pmhx dh dhx fh fhx sh shx soh oe o/e imp impression plan assessment subjective objective history
  examination exam meds medications allergies allergy social family background problem problems summary soap a/p ros`)
)

/** Symptoms, signs, diseases, body parts, tests and treatments, in the form that \`stem\` gives. */
export const clinicalWords: ReadonlySet<string> = new Set(
  words(`
pain ache sore tender tenderness cough sputum phlegm wheeze breath breathless breathing asthma copd chest lung heart
palpitation faint collapse dizzy dizziness lightheaded headache migraine aura seizure fit weakness numb numbness tingle
tingling vision eye ear nose throat sinus tonsil gland fever temperature chill rigor sweat shiver rash itch itchy hive
swelling swell swollen bruise bleed blood anaemia clot stroke tia jaundice nausea vomit diarrhoea constipation stool bowel
urine urinate urinary bladder kidney renal liver gallbladder gallstone pancreatitis ulcer reflux heartburn indigestion
appetite weight bmi diabetes glucose insulin hba1c a1c cholesterol statin lipid thyroid tsh hypertension bp pulse oxygen
saturation respiratory crackle creatinine egfr gfr potassium sodium haemoglobin hemoglobin ferritin platelet crp
infection pneumonia sinusitis otitis virus bacterial antibiotic steroid inhaler spacer injection vaccine immunisation
allergy anaphylaxis intolerance reaction cancer tumour lump biopsy scan xray x-ray ultrasound mri ct ecg ekg echo endoscopy
colonoscopy mammogram smear pregnant pregnancy period menstrual contraception condom coil implant pill breast breastfeed
labour delivery midwife nappy diaper dehydration dehydrate hydration rehydration depression anxiety panic mood sleep
insomnia suicide suicidal self-harm harm psychosis voice memory concentration adhd autism joint knee hip ankle shoulder
elbow wrist hand finger foot toe leg arm back neck spine calf thigh groin abdomen abdominal stomach skin eczema wound
scar fracture break sprain arthritis osteoarthritis gout gait balance fall mobility stick cane walker physiotherapy
physio therapy cbt counsel counselling surgery operation hospital admission discharge refer referral clinic specialist
cardiology cardiologist paramedic ambulance emergency prescription prescribe dose tablet capsule cream ointment gel
syrup suspension drop spray patch dose medication medicine drug side-effect diagnosis chronic acute mild moderate severe
stiffness stiff cramp spasm burning stabbing radiate discharge pus red redness hot warm pale blue cyanosis mottled alert
orientate confused confusion lethargic lethargy tired fatigue exhausted fluid diet salt sugar exercise smoke smoker
cigarette tobacco vape alcohol beer wine cannabis cocaine withdrawal overdose lens hearing tinnitus vertigo goitre
mastitis nipple wean formula chickenpox measles meningitis blanch murmur oedema edema orthopnoea tremor reflex pupil
percussion auscultation palpation guarding hernia mass crystal aspirate effusion instability ligament meniscus
diuretic nsaid analgesic antihistamine antidepressant anticoagulant contraceptive supplement vitamin gummy probiotic
ketone hypoglycaemia hypo hyper lump lipohypertrophy eyedrop hormone menopause flush prostate psa testicle
`)
)

const medicineWords: ReadonlySet<string> = new Set(
  words(`
paracetamol acetaminophen tylenol calpol ibuprofen nurofen advil motrin aleve naproxen aspirin codeine co-codamol codamol pepto bismol epipen
tramadol morphine metformin glipizide gliclazide insulin glargine lantus semaglutide ozempic empagliflozin dapagliflozin
warfarin apixaban rivaroxaban clopidogrel heparin digoxin furosemide lasix hydrochlorothiazide hctz indapamide
spironolactone bumetanide gtn nitroglycerin nitrate isosorbide sildenafil viagra levothyroxine synthroid thyroxine
sertraline zoloft citalopram escitalopram fluoxetine prozac mirtazapine venlafaxine duloxetine bupropion trazodone
methylphenidate adderall concerta lisdexamfetamine atomoxetine salbutamol albuterol ventolin fluticasone beclometasone
budesonide montelukast prednisone prednisolone hydrocortisone clobetasone antihistamine cetirizine loratadine piriton
benadryl zyrtec claritin flonase sudafed lemsip nytol imodium loperamide pepto-bismol gaviscon famotidine zantac
antacid tums senna laxative ondansetron zofran allopurinol colchicine probenecid methotrexate iron folate folic biotin
potassium calcium magnesium microgynon nexplanon mirena depo bactrim sulfa penicillin augmentin cephalosporin
nitrofurantoin trimethoprim metronidazole doxycycline gabapentin pregabalin melatonin adrenaline epinephrine epipen
auto-injector dioralyte pedialyte emollient cetraben e45 glucagon ramipril ezetimibe
`)
)

const medicineEnding =
  /(?:pril|sartan|olol|statin|cillin|mycin|cycline|oxacin|azole|prazole|tidine|dipine|thiazide|semide|gliptin|gliflozin|glutide|parin|xaban|setron|triptan|lukast|sone|solone|vir|mab|azepam|zepam|zolam|barbital|caine|profen|oxetine|pramine|tiapine|idone|apine|metformin|formin|fibrate|dronate|terol|tropium|amide)$/

/** Whether a lower-case word looks like the name of a medicine. */
export const isMedicine = (word: string): boolean =>
  medicineWords.has(word) || (word.length > 6 && medicineEnding.test(word))

const clinicalEnding =
  /(?:itis|osis|emia|aemia|algia|uria|pathy|ectomy|oscopy|ology|ologist|gram|plegia|rrhoea|rrhea|oedema)$/

export const isClinical = (stemmed: string, word: string): boolean =>
  clinicalWords.has(stemmed) || clinicalWords.has(word) || (word.length > 6 && clinicalEnding.test(word))

export const personWords: ReadonlySet<string> = new Set(
  words(`mother father parent brother sister son daughter wife husband partner girlfriend boyfriend grandmother grandfather
  uncle aunt cousin sibling child kid baby friend neighbour neighbor carer caregiver niece nephew fiance stepson family
  roommate colleague teacher nurse midwife interpreter`)
)

export const socialWords: ReadonlySet<string> = new Set(
  words(`work job shift office school nursery preschool college university retire unemploy driver drive van lorry truck
  warehouse farm builder teacher cook live alone flat apartment house bungalow stairs married divorce widow separate
  bereaved smoke smoker cigarette vape alcohol beer wine drink cannabis drug exercise walk gym swim run cross-country
  soccer football sport hobby dog cat pet travel flight fly holiday abroad church money benefit debt caring care home carer
  housing hours wedding team practice truck bus deliver delivery bakery shop restaurant kitchen`)
)

export const timeUnits: ReadonlyMap<string, string> = new Map(
  [
    ["minute", "minute minutes min mins"],
    ["hour", "hour hours hr hrs h hourly"],
    ["day", "day days daily night nights nightly d"],
    ["week", "week weeks weekly wk wks fortnight"],
    ["month", "month months monthly mth"],
    ["year", "year years yearly yr yrs annual annually"]
  ].flatMap(([unit, forms]) => words(forms!).map((form) => [form, unit!] as const))
)

export const doseUnits: ReadonlyMap<string, string> = new Map(
  [
    ["mg", "mg milligram milligrams"],
    ["mcg", "mcg microgram micrograms ug"],
    ["ml", "ml millilitre millilitres milliliter milliliters mls"],
    ["unit", "unit units"],
    ["percent", "% percent per-cent"],
    ["kg", "kg kilo kilos kilogram kilograms"],
    ["lb", "lb lbs pound pounds"],
    ["tablet", "tablet tablets pill pills capsule capsules tab tabs puff puffs"]
  ].flatMap(([unit, forms]) => words(forms!).map((form) => [form, unit!] as const))
)

export const calendarWords: ReadonlySet<string> = new Set(
  words(`monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
  october november december spring summer autumn winter morning evening afternoon night bedtime weekend christmas`)
)
