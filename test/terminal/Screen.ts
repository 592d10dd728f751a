import { execFileSync, spawnSync } from "node:child_process"
import { join } from "node:path"

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0
export const node = join(import.meta.dirname, "../../node_modules/.bin/node")
export const bin = join(import.meta.dirname, "../../dist/bundle/bin.js")

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A terminal of its own server, so that nothing of the user's tmux is touched. */
export class Screen {
  readonly #socket = `assize-test-${process.pid}-${Math.random().toString(36).slice(2)}`
  #tmux(...args: ReadonlyArray<string>): string {
    return execFileSync("tmux", ["-L", this.#socket, "-f", "/dev/null", ...args], { encoding: "utf8" })
  }
  constructor(columns: number, rows: number, environment = "TERM=screen-256color", shell = "sh") {
    const bare = "env -u CI -u CONTINUOUS_INTEGRATION -u BUILD_NUMBER -u NO_COLOR PS1='$ '"
    this.#tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), `${bare} ${environment} ${shell}`)
    this.#tmux("set-option", "-g", "window-size", "manual")
  }
  type(line: string): void {
    this.#tmux("send-keys", "-l", line)
    this.key("Enter")
  }
  key(...keys: ReadonlyArray<string>): void {
    this.#tmux("send-keys", ...keys)
  }
  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-x", String(columns), "-y", String(rows))
  }
  /** Writes all that the program sends to a file, byte by byte. */
  record(file: string): void {
    this.#tmux("pipe-pane", "-O", `cat > '${file}'`)
  }
  get text(): string {
    return this.#tmux("capture-pane", "-p")
  }
  /** The text with the codes of its colours. */
  get coloured(): string {
    return this.#tmux("capture-pane", "-p", "-e")
  }
  get title(): string {
    return this.#tmux("display-message", "-p", "#{pane_title}")
  }
  /** With what has scrolled off. */
  get history(): string {
    return this.#tmux("capture-pane", "-p", "-S", "-")
  }
  /** `1` on the alternate screen; `1` with the cursor shown. */
  get modes(): string {
    return this.#tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").trim()
  }
  async until(seen: RegExp | ((text: string) => boolean)): Promise<string> {
    const matches = typeof seen === "function" ? seen : (text: string) => seen.test(text)
    for (let tries = 0; tries < 400; tries++) {
      const { text } = this
      if (matches(text)) return text
      await pause(50)
    }
    throw new Error(`never on the screen: ${seen}\n${this.text}`)
  }
  close(): void {
    spawnSync("tmux", ["-L", this.#socket, "kill-server"])
  }
}
