import type { Skill } from "../instruction.ts"

/**
 * Paragraphs that a clinical evaluator might write, by the skill they call for. None says anything of a particular
 * consultation. The order of the skills is the order in which a fresh instruction sets them out.
 */
export const wordings: Readonly<Record<Skill, ReadonlyArray<string>>> = {
  enumerate: [
    "First work through the transcript turn by turn and list every clinical fact that was stated. Then take the list and check each fact against the note, one by one.",
    "Before you form a view, go through the transcript and write down each fact that came up. Then look up each one in the note and decide whether it is recorded.",
    "Begin by setting out, turn by turn, everything of substance that was said: list each statement separately. Only then read the note, and match every item on the list with the place where the note records it."
  ],
  omissions: [
    "Look above all for what is missing: a fact that was stated in the consultation and left out of the note is an error, however well the rest is written.",
    "An omission is a flaw in its own right. For everything of clinical value in the transcript, ask whether the note contains it, and lower the score when it is absent from the note.",
    "Ask of the note what a colleague could no longer learn from it. Anything that should have been recorded and is missing counts against it."
  ],
  symptoms: [
    "Follow the presenting complaint and its history: the symptoms, what makes them better or worse, and what the patient reports having tried.",
    "Cover the history: each symptom that the patient describes, with its character and course, and the patient's own concerns."
  ],
  negatives: [
    "Treat relevant negatives as facts. What the patient denied, and what was ruled out, belongs in the note, and a question answered with no is as informative as one answered with yes.",
    "Check the negatives as carefully as the positives: symptoms that the patient denies, findings that were looked for and not present."
  ],
  timing: [
    "Check timing: onset, duration, frequency, and how long each symptom or treatment has lasted.",
    "Dates, durations and the time course matter: when things started, how often they happen, and at what intervals."
  ],
  numbers: [
    "Check numbers with their units: measurements, test values, doses, amounts and frequencies must stand in the note as they were said.",
    "Every figure counts. Compare values, doses, quantities and vital signs in the transcript with those in the note."
  ],
  medicines: [
    "Account for every medicine: name, dose, how often it is taken, whether it is really taken, and anything bought over the counter.",
    "Go over the medication: what was prescribed, changed or stopped, over-the-counter remedies, and doses that were skipped."
  ],
  allergies: [
    "Allergies and intolerances must be recorded with the reaction, not merely implied by a choice of treatment.",
    "Make sure that each allergy, adverse reaction or contraindication that came up is stated in the note."
  ],
  findings: [
    "Include the examination findings and test results that were spoken aloud, and the assessment or diagnosis that was drawn from them.",
    "Compare the findings of the examination, the observations and the results with what the note records."
  ],
  sides: [
    "Check laterality: left or right, and the exact body part.",
    "Note the side and the site of every symptom, sign and procedure, and whether the note has left and right as they were said."
  ],
  plan: [
    "Check the plan: tests, referrals, advice and follow-up, with what was agreed and by when.",
    "Go through the next steps that were arranged, such as investigations, referrals, advice to the patient and review dates."
  ],
  safetyNet: [
    "Check the safety-netting: which warning signs were named, when to call or come back, and what to do in an emergency.",
    "Return advice is part of the record. The red flags that were explained, and how urgently the patient should seek help, must be in the note."
  ],
  people: [
    "Keep track of who said or did what, and of family history: a fact about a relative or carer must be attributed to the right person.",
    "Check attribution: who reported each fact, whom it concerns, and which family members or carers are involved."
  ],
  social: [
    "Include the social context where it bears on care: work, home, smoking, alcohol, travel, and who helps.",
    "Living circumstances, occupation, lifestyle and other background that came up belong in the note."
  ],
  partial: [
    "A passing mention is not enough. If a fact survives only partly, without its details, count it as mostly missing, even when a related word appears elsewhere in the note.",
    "Do not accept a weaker restatement for the fact itself: each fact should be stated in full, with its specifics, where a reader would look for it.",
    "When only a fragment of a fact is left, such as a hint without the statement behind it, that is not enough: treat the fact as incomplete and lower the score."
  ],
  additions: [
    "Then read the note sentence by sentence and ask whether the transcript supports it. Content that was invented, or that contradicts what was said, lowers the score.",
    "Also look the other way: for every statement of the note, find the words that it is supported by. Unsupported findings, altered values and changed details are errors."
  ],
  paraphrase: [
    "Different wording counts as present. A clinical term or an abbreviation for what was said in lay terms is the same fact.",
    "Accept paraphrase: shorthand, synonyms and medical language with the same meaning are as good as the patient's own words."
  ],
  smallTalk: [
    "Do not penalise brevity, or small talk that the note leaves out: greetings, pleasantries and tangents do not belong in a record.",
    "Small talk and style are not at issue; a concise note is no worse for it."
  ],
  importance: [
    "Weigh each gap by its clinical importance: what could harm the patient or mislead the next clinician matters most.",
    "Not every gap has the same weight. Judge each by its clinical relevance, from what could harm down to mere detail."
  ],
  decimals: [
    "Let the score follow the share of facts that the note holds, and use decimals so that one missing fact makes a visible difference.",
    "Use the whole range of the scale, in fine steps: two notes that differ in one fact should not get the same score, and a decimal place helps to tell them apart."
  ]
}

/** What an evaluator out of ideas writes: each moves or blurs scores and finds nothing. */
export const harsherOnly: ReadonlyArray<string> = [
  "Be very strict and unforgiving. If there is any doubt about the note, give it a much lower score.",
  "Apply a harsh standard: be sceptical of every note, and mark it down heavily at the slightest doubt."
]

export const vague: ReadonlyArray<string> = [
  "Consider the note as a whole and decide how good it is. Use your professional judgement, and think about what an experienced colleague would make of it.",
  "Read the transcript and the note with care and reflect on their overall quality. Be thoughtful and balanced, and give the score that feels right."
]

export const padding: ReadonlyArray<string> = [
  "Bear in mind that a clinical note serves many readers, and that each of them comes to it with another question, so that a judgement on its quality calls for patience and good sense.",
  "It is worth remembering that documentation is written under pressure, that no two clinicians write alike, and that the purpose of a review is to help and not to find fault.",
  "As you proceed, keep a clear head, return to the text whenever you are unsure, and let your view form gradually as you come to understand the encounter as a whole.",
  "Think about the standing of the document in the care of the person, about the professional duties that attach to it, and about the trust that is placed in whoever reviews it.",
  "When you have finished, pause, look again at your first impression, and ask yourself whether you would be comfortable explaining it to a colleague in a quiet moment."
]

/** Openings of an instruction that is written afresh. */
export const openings: ReadonlyArray<string> = [
  "Judge how completely and faithfully the note records this consultation.",
  "Decide whether a colleague who has only this note would know what the consultation established.",
  "Compare the note with the transcript, and judge it as a record of what was said, found and agreed."
]
