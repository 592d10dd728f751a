import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assize, quickstartCopy } from "./cli.ts"

const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

/** The folder of the one finished quickstart, which whoever asks first runs while the others wait. */
const original = async (): Promise<string> => {
  const shared = process.env["ASSIZE_FIXTURES"]
  if (shared === undefined) throw new Error("test/support/fixtures.ts is not among the global set-ups")
  const done = join(shared, "quickstart")
  const making = join(shared, "quickstart-being-made")
  const failed = join(shared, "quickstart-failed.txt")
  try {
    mkdirSync(join(shared, "quickstart-lock"))
  } catch {
    while (!existsSync(done)) {
      if (existsSync(failed)) throw new Error(readFileSync(failed, "utf8"))
      await pause()
    }
    return done
  }
  mkdirSync(making)
  const { code, stderr, stdout } = await assize(["run", quickstartCopy(making)], { cwd: making })
  if (code !== 0) {
    writeFileSync(failed, `the quickstart failed: ${stderr}`)
    throw new Error(`the quickstart failed: ${stderr}`)
  }
  writeFileSync(join(making, "said.txt"), stdout)
  renameSync(making, done)
  return done
}

/**
 * The quickstart after its run of 30 iterations, store and all, as if it had been run in this folder. Gives the campaign
 * file's path, and what the run said at its end.
 */
export const finishedQuickstart = async (folder: string): Promise<{ readonly yaml: string; readonly said: string }> => {
  cpSync(await original(), folder, { recursive: true })
  const yaml = join(folder, "campaigns/quickstart/campaign.yaml")
  // A store knows its runs by where their campaign is.
  const database = new DatabaseSync(join(folder, ".assize/store.sqlite"))
  database.prepare("UPDATE runs SET campaign_file = ?").run(realpathSync(yaml))
  database.close()
  return { yaml, said: readFileSync(join(folder, "said.txt"), "utf8") }
}
