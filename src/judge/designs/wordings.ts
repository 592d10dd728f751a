import type { Criterion } from "../../domain/Dataset.ts"

/** The texts of seeds/*.md that designs start from where nobody gives others; a test holds the two together. */
export const wholeNote = {
  faithfulness:
    "Decide whether what this note says is faithful to the consultation. Read each statement of the note and ask whether the transcript supports it. Give a high score when every statement is supported, and a low score when the note claims something that was not said or found.",
  faithfulAndComplete:
    "Rate how well this note documents the consultation. A good note is faithful, so that it says nothing the transcript does not support, and complete, so that it leaves out nothing a colleague would need. Weigh both and give one score for the note as a whole."
}

export const yesNo = {
  faithfulness:
    "Decide whether the note claims anything that the consultation does not bear out. Read each statement of the note and look for its support in the transcript. A statement that was not said or found, or that differs from what was said, is an error; what the note leaves out is none.",
  faithfulAndComplete:
    "Decide whether the note can stand as it is. It has an error if it claims anything that the transcript does not support, and also if it leaves out something that a colleague who reads only the note would need."
}

export const checklistText =
  "Draw up the questions that a careful colleague would ask of this note, one for each thing of clinical weight that the transcript establishes and one for each statement of the note that could be wrong. Word each so that YES speaks for the note. Then answer each from the note and the transcript."

export const perFact = {
  extract: `List what the consultation established and a clinician would need later: complaints with their onset, course and timing; symptoms that the patient denied; history and the people it concerns; medicines with dose and frequency; allergies and reactions; examination findings, vital signs and test results with their numbers and units; the left or right side and body part; assessments; advice, plans, referrals and follow-up; safety-netting and warning signs; and work, home, smoking and alcohol where they bear on care.

Go through the transcript turn by turn. One fact at a time, each with its own details, in words that stand by themselves. Say what was said and no more. Leave out greetings and small talk.`,
  audit: `Read each fact against the transcript, one by one.

First its support. A fact is unsupported if the transcript does not establish it, or if it hardens what was said: a guess into a finding, a question into an answer, a possibility into a plan.

Then repetition. A fact is a duplicate if an earlier fact of the list already says all of it. If it adds a detail, such as a dose or a time, it is none.

Then the severity of its absence. Ask what the next clinician, who has only a note without this fact, could do wrong. It is critical if the patient could come to serious harm: allergies and reactions, doses and changes of medicines, red flags and their relevant absence, instructions on when to seek help. It is supporting if the clinical picture, the assessment or the plan would be poorer. It is peripheral if little would change, as with most social background. Judge its clinical importance in this consultation and not its subject in general, and between two grades take the lower.`,
  check: {
    twoStage:
      'Take the facts one by one and look through the whole note for each. It is present if the note says it, in whatever words and under whatever heading, clinical terms and abbreviations included, with the details that make it the fact it is. A related remark or a bare mention of the subject is not the fact: where a number, dose, side, time or a "no" is part of the fact, the note must have it.',
    threeStage: `Take the facts one by one and look through the whole note for each, in whatever words and under whatever heading. Paraphrases, clinical terms and abbreviations count as the same.

A fact is full if the note says it with the details that make it the fact it is: its number, dose and unit, its side, its timing, its negation, its condition. It is partial if the note says a part of it, or says it more vaguely. It is absent if a reader of the note alone would not learn it; a related remark or a passing mention of the subject does not make it partial.`,
    coverage: `Go through the list and find for every fact the place in the note that comes closest to it, whatever its words or heading. Paraphrases, clinical terms and abbreviations count as the same.

It is full if nothing of the fact is lost there: number, dose and unit, side, timing, negation and condition are part of it. It is partial if something is lost or only hinted at. It is absent if no place in the note would tell a reader of it.`
  },
  secondLook:
    "A first reader has not found these facts. Read the whole note once more for each of them, also under headings where nobody would look, and in other words than the fact's own: a clinical term for a lay one, an abbreviation, a summary that takes it in. Copy out the words that record it, if there are any. Do not stretch a remark about something else."
}

export const criterionText =
  "Read the criterion for what it says and no more, and look in the note for what decides it; use the transcript where the criterion refers to what was said. Different wording and clinical terms with the same meaning are good enough, and a bare mention of the subject is not. The criterion is met only if the note as it stands meets the whole of it. A criterion that describes a fault is met by a note that has the fault."

/** Asked by a rubric judge where neither the data nor the judge gives criteria. */
export const generalCriteria: ReadonlyArray<Criterion> = [
  { id: "complaint", text: "The note records the reason for the consultation and how it developed.", points: 5 },
  { id: "negatives", text: "The note records the relevant symptoms that the patient said were absent.", points: 4 },
  {
    id: "medicines",
    text: "Each medicine that was started, stopped, changed or kept is in the note with its dose.",
    points: 6
  },
  { id: "allergies", text: "Allergies and reactions that were mentioned are in the note.", points: 6 },
  { id: "findings", text: "Examination findings and results are in the note with their values and sides.", points: 5 },
  {
    id: "plan",
    text: "The note records what was agreed: treatment, tests, referrals and follow-up with its time.",
    points: 6
  },
  { id: "safety", text: "The note records what the patient was told to watch for and what to do then.", points: 5 },
  {
    id: "circumstances",
    text: "Circumstances that bear on the care, such as work, home or carers, are in the note.",
    points: 3
  },
  { id: "unsupported", text: "The note states something that the transcript does not support.", points: -8 },
  { id: "changed", text: "A number, dose, side, date or name in the note differs from what was said.", points: -8 }
]
