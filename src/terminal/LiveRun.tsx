import { Box, type Key, type RenderOptions, render, Text, useApp, useInput, useWindowSize } from "ink"
import { memo, useEffect, useLayoutEffect, useReducer, useRef, useState } from "react"
import { DrawPace } from "./DrawPace.ts"
import { type Frame, frame, type Size } from "./frame.ts"
import type { Action, KeyName } from "./keymap.ts"
import { press } from "./keys.ts"
import { type Line, sameLine } from "./line.ts"
import type { RunView } from "./RunView.ts"
import { styled } from "./styled.ts"
import { onSuspend, suspend } from "./suspend.ts"
import { initialUi, type Ui } from "./ui.ts"

/** What a view may ask of the run. */
export interface RunControls {
  pause(): void
  resume(): void
  /** Whether to stop after the iteration under way. */
  stopAfter(asked: boolean): void
  /** No new calls; those under way finish and are kept. */
  quit(): void
  /** Leave at once. */
  quitNow(): void
}

export interface LiveRunProps {
  /** The view of this moment. Called on each tick and each key; does no work. */
  readonly read: () => RunView
  readonly controls: RunControls
  /** Whether to use colours; words and marks say the same. */
  readonly colour: boolean
  readonly tickMs?: number
  /** Instead of the terminal's own size. */
  readonly size?: Size
}

const actions: Readonly<Record<Action, (controls: RunControls) => void>> = {
  pause: (controls) => controls.pause(),
  resume: (controls) => controls.resume(),
  "stop-after": (controls) => controls.stopAfter(true),
  "go-on": (controls) => controls.stopAfter(false),
  quit: (controls) => controls.quit(),
  "quit-now": (controls) => controls.quitNow(),
  suspend
}

const keysOf = (input: string, key: Key): ReadonlyArray<KeyName | (string & {})> => {
  if (key.ctrl) return input === "c" ? ["ctrl-c"] : input === "z" ? ["ctrl-z"] : []
  if (key.upArrow) return ["up"]
  if (key.downArrow) return ["down"]
  if (key.leftArrow) return ["left"]
  if (key.rightArrow) return ["right"]
  if (key.return) return ["enter"]
  if (key.tab) return [key.shift ? "back-tab" : "tab"]
  if (key.pageUp) return ["page-up"]
  if (key.pageDown) return ["page-down"]
  if (key.home) return ["home"]
  if (key.end) return ["end"]
  if (key.escape) return ["escape"]
  // Keys typed in haste arrive together.
  return key.meta ? [] : [...input]
}

/** A run on the screen. It holds nothing but what is scrolled and asked; all else is read anew on each tick. */
export const LiveRun = ({ colour, controls, read, size, tickMs = 150 }: LiveRunProps) => {
  const window = useWindowSize()
  const { suspendTerminal } = useApp()
  useEffect(() => onSuspend(suspendTerminal), [suspendTerminal])
  const { columns, rows } = size ?? window
  const ui = useRef<Ui>(initialUi)
  const [pace] = useState(() => new DrawPace())
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const next = () => frame(read(), ui.current, { columns, rows })
  const drawn = useRef<Frame & { readonly size: string }>(undefined)
  // A tick has drawn its frame already; a new size or a first drawing has none.
  const at = `${columns} ${rows}`
  if (drawn.current?.size !== at) drawn.current = { ...next(), size: at }
  const { lines, scrolling } = drawn.current

  const look = () => {
    const start = performance.now()
    const found = next()
    const before = drawn.current?.lines ?? []
    const same = found.lines.length === before.length && found.lines.every((line, at) => sameLine(line, before[at]!))
    if (same) return
    drawn.current = { ...found, size: at }
    pace.asked = start
    redraw()
  }
  const latest = useRef(look)
  latest.current = look

  useLayoutEffect(() => {
    if (pace.asked !== undefined) pace.took(performance.now() - pace.asked)
  })
  useEffect(() => {
    let timer: NodeJS.Timeout
    const tick = () => {
      latest.current()
      timer = setTimeout(tick, Math.max(tickMs, pace.pauseMs))
    }
    timer = setTimeout(tick, tickMs)
    return () => clearTimeout(timer)
  }, [tickMs, pace])

  useInput((input, key) => {
    for (const name of keysOf(input, key)) {
      const pressed = press(ui.current, name, read(), scrolling)
      ui.current = pressed.ui
      if (pressed.action !== undefined) actions[pressed.action](controls)
    }
    look()
  })

  return (
    <Box flexDirection="column" width={Math.max(1, columns - 1)}>
      {lines.map((line, at) => (
        // Lines have no identity but their place on the screen.
        <LineView key={at} line={line} colour={colour} />
      ))}
    </Box>
  )
}

/** One node a line: Ink takes several times as long for a node for each piece of text. */
const LineView = memo(
  ({ colour, line }: { readonly line: Line; readonly colour: boolean }) => (
    <Text wrap="truncate">{line.length === 0 ? " " : line.map((piece) => styled(piece, colour)).join("")}</Text>
  ),
  (a, b) => a.colour === b.colour && sameLine(a.line, b.line)
)

export interface Mounted {
  /** Takes the view off and gives the terminal back; settles when that is written. */
  unmount(): Promise<void>
  /** Settles when the view is gone; fails when it broke. */
  readonly gone: Promise<unknown>
}

/** Puts the view on the terminal. Ctrl-C is a key here, since raw mode swallows the signal. */
export const mount = (
  props: LiveRunProps,
  streams: Pick<RenderOptions, "stdin" | "stdout" | "interactive"> = {}
): Mounted => {
  // Keys that were typed before this have been echoed: the first line must not begin behind them.
  const stdout = streams.stdout ?? process.stdout
  stdout.write("\r")
  const app = render(<LiveRun {...props} />, {
    ...streams,
    alternateScreen: true,
    exitOnCtrlC: false,
    incrementalRendering: true,
    maxFps: 15
  })
  const gone = app.waitUntilExit()
  return {
    gone,
    unmount: async () => {
      app.unmount()
      await gone.catch(() => {})
    }
  }
}
