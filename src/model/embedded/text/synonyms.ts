/** Lay and clinical words for one thing. The first of a line names the concept; phrases are joined by hyphens. */
const table = `
abdomen abdominal abdo tummy belly stomach gut
urine urinate urinary urination wee pee peeing weeing waterworks water-works micturition
stool stools poo poop faeces feces bowel bowels motion motions
diarrhoea diarrhea runs loose-stool
vomit vomiting vomited sick throw-up throwing-up threw-up puke emesis
nausea nauseous queasy
breathless breathlessness sob dyspnoea dyspnea short-of-breath out-of-breath puff puffing puffed shortness-of-breath winded
sputum phlegm mucus bringing-up
fever feverish pyrexia febrile temperature temp boiling hot
shiver shivering shivery chill rigor
faint black-out fainting fainted syncope blackout blackouts passed-out passing-out pass-out collapse blacked-out
dizzy dizziness lightheaded light-headed giddy woozy
bp blood-pressure pressure hypertension hypertensive htn high-blood-pressure
pulse heart-rate hr heartbeat
oxygen sats saturation saturations spo2
respiratory rr breathing-rate
heart cardiac cardiovascular
mi heart-attack
kidney kidneys renal ckd creatinine egfr gfr
liver hepatic lft
lung lungs pulmonary respiratory base
glucose sugar sugars
diabetes diabetic t2dm dm
diuretic water-tablet water-tablets water-pill water-pills furosemide hctz hydrochlorothiazide lasix
inhaler inhalers puffer
vaccine vaccination vaccinated immunisation immunization immunised immunized jab jabs shot shots booster
analgesic painkiller painkillers analgesia pain-relief
paracetamol acetaminophen tylenol calpol lemsip
nsaid nsaids ibuprofen nurofen advil motrin aleve naproxen anti-inflammatory
gtn nitrate nitroglycerin
albuterol salbutamol ventolin blue-inhaler rescue
antibiotic antibiotics abx
steroid steroids prednisone prednisolone cortisone
penicillin amoxicillin augmentin
antihistamine antihistamines piriton benadryl cetirizine
allergy allergic allergies anaphylaxis
rash rashes hive hives spots
itch itchy itching pruritus scratch scratching
swelling swell swollen oedema edema puffy blew-up
bleed bleeding blood haemorrhage
bruise bruising
clot clots dvt pe thrombosis
period periods menses menstrual menstruation
contraceptive contraception pill
pregnant pregnancy expecting gestation
infant baby newborn
child children kid kids
nappy nappies diaper diapers
mother mum mom mummy mam ma
father dad daddy
grandmother gran nan grandma
wife missus
husband hubby
sister sisters
brother brothers
daughter girl
son boy lad
nursery daycare preschool kindergarten
colleague coworker workmate
job work works working employ employed occupation
driver drives driving drive
home house lives live
retired retire retirement
smoke smoker smokes smoking cigarette cigarettes fags fag tobacco
alcohol drinking drinks drink beer beers wine booze units
exercise exercising gym workout
emergency a&e a-and-e ed er 999 911 ambulance casualty
call ring phone telephone contact
review return follow-up followup recheck come-back see-again appointment
refer referral referred
stop stopped discontinue discontinued cease ceased quit off stopping
pause hold withhold
start started begin began begun commence commenced initiate
increase increased raise up-titrate double
decrease reduce reduced lower cut-down
continue continued unchanged stay-on carry-on
missed miss skip skipped skips forget forgot left-out
bloodtest blood-test blood-tests bloods labs lab u&e bmp fbc cbc panel
xray x-ray x-rays radiograph
confused confusion muddled disorientated
sleep sleeping insomnia awake
anxiety anxious worry worries worried nervous nerves on-edge
mood depression depressed low down
suicide suicidal self-harm harm kill better-off
tired tiredness fatigue exhausted knackered worn-out
weight weigh weighs heavier
appetite eating eat ate
headache headaches migraine migraines
back lumbar
abnormal unusual
normal okay fine clear
improve improved improving better settled
worse worsen worsened worsening deteriorate
calf calves
leg legs
foot feet
tooth teeth
great-toe big-toe
first-mtp
knee knees
cause due
prevent prevention prophylaxis prophylactic
once-daily once-a-day od daily every-day
twice-daily twice-a-day bd bid
three-times-daily three-times-a-day tds tid
at-night nocte bedtime nightly
as-needed prn when-needed
chemist pharmacy pharmacist drugstore otc
gp surgery practice clinic
hospital admitted admission inpatient
operation surgery surgical operated
sunlight sun
upright sitting-up
fluid fluids drinking water hydration
diet dietary food eating
salt sodium
heartburn reflux indigestion acid gerd dyspepsia
gallbladder gallstone gallstones biliary
wheeze wheezy wheezing whistling
cough coughing coughs
asthma asthmatic
cancer tumour tumor malignancy carcinoma
sinus sinuses sinusitis
ear ears earache otitis
throat tonsils tonsillitis sore-throat
pain painful ache aching aches sore hurt hurts hurting tender soreness discomfort
stiff stiffness
numb numbness pins-and-needles tingling tingle
cane stick walking-stick
elevator lift
apartment flat
neighbour neighbor
journey journeys travel travelled flight flights fly flying
`

/** Form (a word, or a phrase joined by hyphens) to concept. Where a form stands in two lines, the first counts. */
export const conceptOf: ReadonlyMap<string, string> = (() => {
  const concepts = new Map<string, string>()
  for (const line of table.trim().split("\n")) {
    const forms = line.trim().split(/\s+/)
    for (const form of forms) if (!concepts.has(form)) concepts.set(form, forms[0]!)
  }
  return concepts
})()

/** Multi-word forms by their first word, longest first, as lists of words. */
export const phrases: ReadonlyMap<string, ReadonlyArray<ReadonlyArray<string>>> = (() => {
  const byFirst = new Map<string, Array<ReadonlyArray<string>>>()
  for (const form of conceptOf.keys()) {
    const parts = form.split("-")
    if (parts.length < 2) continue
    const list = byFirst.get(parts[0]!) ?? []
    list.push(parts)
    byFirst.set(parts[0]!, list)
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.length - a.length)
  return byFirst
})()
