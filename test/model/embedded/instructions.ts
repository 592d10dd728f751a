/** Instructions of different quality, as people write them; none was made from the quickstart notes. */
export const plainQuestion =
  "Decide whether this note is a faithful and complete record of the consultation. Score it from 0 to 10."

export const completenessQuestion =
  "Read the transcript and judge whether the note is a complete record of the consultation. Give a low score to a note from which something important is missing."

export const faithfulnessOnly =
  "Check that everything in the note is supported by the transcript. Look for content that was invented, and for details that contradict what was said. Ignore anything that the note leaves out: omissions are not your concern."

export const harsher = " Be very strict and unforgiving: if there is any doubt, mark the note down."
export const milder = " Be lenient, and give the benefit of the doubt."

export const enumerateOnly =
  "First go through the transcript turn by turn and list every fact. Then check each one against the note. Lower the score for each that is missing."

export const topicsOnly = `${plainQuestion} Pay attention to numbers and doses, medicines, allergies, negatives that the patient denied, the side of the body, timing and duration, the follow-up plan and the safety-netting advice.`

export const enumerateSomeTopics = `${enumerateOnly} Include numbers with their units and doses, medicines, allergies, negatives (what the patient denied), and the plan.`

export const enumerateAndCheck = `First go through the transcript turn by turn and list every clinical fact that was said. Then look for each one in the note, and write down which are missing.

Include symptoms and the patient's answers, examination findings and test results, numbers with their units and doses, medicines and how often they are taken, allergies and reactions, negatives (what the patient denied, what was ruled out), left or right side and body part, timing and duration, the plan and advice, safety-netting (when to call or come back, warning signs), family and who said what, and social context such as occupation, home, smoking and alcohol.

A passing mention is not enough: a fact that survives only partly, without its details, counts as mostly missing.

Different wording, clinical terms and abbreviations count as present. Do not penalise brevity, or small talk that is left out.

Weigh each missing fact by its clinical importance. Use decimals, in proportion to the share of facts that the note holds.`

export const bothDirections = `${enumerateAndCheck}

Then read the note sentence by sentence and look for content that the transcript does not support: invented findings, altered values, and details that contradict what was said.`

export const padded =
  enumerateAndCheck + "\n\nTake your time, and bear in mind that many people rely on what is written here.".repeat(60)
