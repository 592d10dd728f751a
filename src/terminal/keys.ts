import { type Binding, isUnderWay, type KeyContext, type KeyName, keymap, type Pressed } from "./keymap.ts"
import type { Scrolling } from "./scrolling.ts"
import type { Ui } from "./ui.ts"

const applies = ({ only, when }: Binding, context: KeyContext): boolean =>
  isFor(only, context.view.watching) && (when === undefined || when(context))

const isFor = (only: Binding["only"], watching: boolean): boolean =>
  only === undefined || (only === "watches") === watching

/** What a key does now. `key` is a character as typed, or the name of a key that types none. */
export const press = (
  ui: Ui,
  key: KeyName | (string & {}),
  view: KeyContext["view"],
  scrolling: Scrolling
): Pressed => {
  const context: KeyContext = { ui, view, scrolling }
  const bound = keymap.find((binding) => binding.keys.includes(key) && applies(binding, context))
  if (ui.overlay === "none" || bound?.always === true) return bound?.does(context, key) ?? { ui }
  const closed: Ui = { ...ui, overlay: "none" }
  if (key === "escape") return { ui: closed }
  if (ui.overlay === "quit")
    return key === "q" && isUnderWay(context) ? { ui: { ...closed, quitting: true }, action: "quit" } : { ui }
  if (key === "?" || key === "h" || key === "q") return { ui: closed }
  return bound !== undefined && (bound.keys.includes("tab") || key === "back-tab") ? bound.does(context, key) : { ui }
}

/** The keys that do something now with what they do, most wanted first. */
export const keysNow = (
  ui: Ui,
  view: KeyContext["view"],
  scrolling: Scrolling
): ReadonlyArray<readonly [keys: string, does: string]> => {
  if (ui.overlay === "help") return [["Esc", "close"]]
  const context: KeyContext = { ui, view, scrolling }
  return keymap.flatMap((binding) =>
    binding.label !== undefined && applies(binding, context) ? [[binding.shown, binding.label(context)] as const] : []
  )
}

export const quitQuestion = "q again to stop after the calls under way; Esc to keep running"

/** All keys with what they do, for somebody who runs or who only watches. */
export const help = (watching: boolean): ReadonlyArray<readonly [keys: string, does: string]> => [
  ...keymap
    .filter(({ only }) => isFor(only, watching))
    .flatMap(({ help, shown }) => help.map((does, at) => [at === 0 ? shown : "", does] as const)),
  ["", ""],
  ...(watching
    ? [["", "This only looks on: nothing here changes the run."] as const]
    : [
        ["", "However it ends, the same command goes on with the run."] as const,
        ["", "Nothing that was bought is bought again."] as const
      ])
]
