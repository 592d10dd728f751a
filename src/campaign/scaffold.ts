/** The commented campaign that `assize init` writes. It runs as it is, on a copy of the quickstart's data. */
export const scaffoldYaml = (name: string): string => `# yaml-language-server: $schema=./campaign.schema.json
# A campaign: which judge to improve, on which data, by which measure, at what cost.
# It runs as it is, offline:  assize plan campaign.yaml && assize run campaign.yaml
# Paths are relative to this file.
name: ${JSON.stringify(name)}

# One consultation a line: transcript, notes, and pairs of a flawed note and its clean twin.
# This is a copy of the quickstart's fictional data. For your own:
#   assize data import primock-pairs FOLDER --out dataset.jsonl    (or write the format yourself)
#   assize data check dataset.jsonl
#   assize split create dataset.jsonl --out split.json --force
dataset: dataset.jsonl

# Which consultations are train (the reflector reads them), acceptance (they select) and holdout (nobody looks).
split: split.json

models:
  # The embedded model is a stand-in to learn the tool with: its figures say nothing about real models.
  judge: { provider: embedded, model: lexical-1 }
  reflection: { provider: embedded, model: lexical-1 }
  # Any endpoint that speaks OpenAI's chat completions. Keys come from the environment, never from this file.
  # judge:
  #   provider: openai
  #   model: gpt-5.4-mini
  #   apiKeyEnv: OPENAI_API_KEY
  #   # baseUrl: http://localhost:11434/v1     # vLLM, Ollama, llama.cpp, a gateway; no key needed without apiKeyEnv
  #   temperature: 1
  #   maxOutputTokens: 1024
  #   timeout: 2 minutes
  #   concurrency: 16
  #   price: { input: 0.75, cachedInput: 0.075, output: 4.5 }   # US dollars per million tokens
  # reflection: { provider: openai, model: gpt-5.4, apiKeyEnv: OPENAI_API_KEY, maxOutputTokens: 8192 }

# samples: how often each note is judged; more is steadier and dearer.
judge: { design: whole-note-score, samples: 1 }
# Other designs ask differently: whole-note-yes-no, checklist, two-stage and three-stage (list the facts of the transcript,
# then look for each in the note), coverage, rubric, consensus. seeds/ has instructions for each; for one of several stages:
# judge: { design: three-stage, samples: 1 }
# target: { module: check }      # whose instruction evolves; or, in turn, { modules: [extract, check] }

# Where the search starts. Each is a Markdown file: front matter, then the instruction. Those of a design with several
# stages say in their front matter which stage they are for:  seeds: [seeds/three-stage-check.md]
seeds:
  - seeds/completeness.md
  - seeds/faithfulness.md
  - seeds/faithful-and-complete.md

objective:
  primary: { measure: paired-discrimination, classes: [omission] }
  secondary: { measure: detection, classes: [omission], maxFalseAlarms: 0.10 }

search:
  iterations: 30
  minibatch: { notes: 12, consultations: 4 }
  maxInstructionLength: 6000   # characters
  stall: 15                    # stop after so many rejections in a row
  seed: 11                     # same seed, data and judgements: same run; another seed asks the judge anew

# Checked before every call. After a stop, raise a limit and run the same command again.
budget: { usd: 20, calls: 5000, wallClock: 2 hours }
`

/** The seeds that `assize init` writes: those that its campaign names, and those for the other designs and their modules. */
export const scaffoldSeeds = [
  "completeness",
  "faithfulness",
  "faithful-and-complete",
  "completeness-audit",
  "faithfulness-deployed",
  "yes-no-faithfulness",
  "yes-no-faithful-and-complete",
  "checklist",
  "two-stage-extract",
  "two-stage-check",
  "three-stage-extract",
  "three-stage-audit",
  "three-stage-check",
  "three-stage-second-look",
  "coverage-extract",
  "coverage-check",
  "rubric-criterion"
] as const
