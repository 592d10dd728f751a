import { assert, describe, it } from "@effect/vitest"
import {
  evidenceAnalysis,
  evidenceCategory,
  evidenceHits,
  randomLocalisation,
  sentenceCoverage
} from "../../src/measure/evidence.ts"

const truth = "Sputum culture grew Streptococcus pneumoniae on day two."

describe("overlap of evidence and sentence", () => {
  it("hits by containment either way, case and punctuation aside", () => {
    assert.isTrue(evidenceHits("streptococcus  PNEUMONIAE", truth))
    assert.isTrue(evidenceHits(`He coughed. ${truth} Amoxicillin was started.`, truth))
    assert.isFalse(evidenceHits("pneumonia", truth))
    assert.isFalse(evidenceHits("cocc", truth))
  })

  it("hits from 60 % of the sentence's words on, repeats counted", () => {
    assert.strictEqual(sentenceCoverage("a b c x y", "a b c d e"), 0.6)
    assert.isTrue(evidenceHits("a b c x y", "a b c d e"))
    assert.isFalse(evidenceHits("a b x y z", "a b c d e"))
    assert.strictEqual(sentenceCoverage("no", "no no fever"), 1 / 3)
    assert.isFalse(evidenceHits("b a x", "a c d b e"))
  })

  it("counts characters in Chinese and Japanese", () => {
    assert.isTrue(evidenceHits("肺炎球菌", "痰培养提示肺炎球菌感染。"))
    assert.isTrue(evidenceHits("血圧は高い", "血圧は低い。"))
    assert.isFalse(evidenceHits("発熱なし", "血圧は低い。"))
    assert.strictEqual(sentenceCoverage("血圧", "血圧は低い"), 0.4)
  })

  it("does not hit with nothing", () => {
    assert.isFalse(evidenceHits("", truth))
    assert.isFalse(evidenceHits("...", truth))
    assert.isFalse(evidenceHits("fever", ""))
    assert.strictEqual(sentenceCoverage("fever", "..."), 0)
  })
})

describe("evidence contrastive analysis", () => {
  const hit = { evidence: "Streptococcus pneumoniae", sentence: truth }
  const miss = { evidence: "He coughed for a week", sentence: truth }
  const none = { evidence: null, sentence: truth }

  it("sorts pairs into A to E", () => {
    assert.strictEqual(evidenceCategory({ flawed: hit, clean: hit }), "A")
    assert.strictEqual(evidenceCategory({ flawed: hit, clean: miss }), "B")
    assert.strictEqual(evidenceCategory({ flawed: miss, clean: hit }), "C")
    assert.strictEqual(evidenceCategory({ flawed: miss, clean: miss }), "D")
    assert.strictEqual(evidenceCategory({ flawed: hit, clean: none }), "E")
    assert.strictEqual(evidenceCategory({ flawed: { evidence: " - ", sentence: truth }, clean: hit }), "E")
  })

  it("reports rates over pairs with evidence, beside the random baseline", () => {
    const pairs = [
      { flawed: hit, clean: hit },
      { flawed: hit, clean: miss },
      { flawed: miss, clean: miss },
      { flawed: none, clean: hit }
    ]
    assert.deepStrictEqual(evidenceAnalysis(pairs), {
      counts: { A: 1, B: 1, C: 0, D: 1, E: 1 },
      localisation: 2 / 3,
      falseHit: 1 / 3
    })
    assert.isNull(evidenceAnalysis([{ flawed: none, clean: none }]).localisation)
    assert.strictEqual(randomLocalisation([6, 10]), 1 / 8)
    assert.isNull(randomLocalisation([]))
  })
})
