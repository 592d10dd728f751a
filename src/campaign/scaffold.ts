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

# Where the search starts. Each is a Markdown file: front matter, then the instruction.
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
  # Who can be a parent: leaders of an instance (default), of a class and trace of error (group), or whoever nobody beats
  # in omissions, commissions and false alarms at once (objectives). And how one of them is drawn: pareto (default), best,
  # { epsilonGreedy: 0.1 } or { topK: 5 }.
  # frontier: instance
  # selector: pareto

# Checked before every call. After a stop, raise a limit and run the same command again.
budget: { usd: 20, calls: 5000, wallClock: 2 hours }
`

export const scaffoldSeeds = ["completeness", "faithfulness", "faithful-and-complete"] as const
