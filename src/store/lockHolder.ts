import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import * as Schema from "effect/Schema"

/** Who holds a lock, as it has written beside it. */
export const Holder = Schema.Struct({
  pid: Schema.Int,
  host: Schema.String,
  since: Schema.String,
  campaign: Schema.optionalKey(Schema.String),
  /** The run's id, once the holder knows it. */
  run: Schema.optionalKey(Schema.String)
})
export type Holder = typeof Holder.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Holder))

/** Null where nothing is written yet. */
export const readHolder = (file: string): Holder | null => {
  try {
    const holder = decode(readFileSync(file, "utf8"))
    return holder._tag === "Some" ? holder.value : null
  } catch {
    return null
  }
}

/** This process, now. */
export const thisProcess = (nowMs: number): Holder => ({
  pid: process.pid,
  host: hostname(),
  since: new Date(nowMs).toISOString()
})

export const writeHolder = (file: string, holder: Holder): void => writeFileSync(file, JSON.stringify(holder))

export const removeHolder = (file: string): void => rmSync(file, { force: true })

/** `10:32` for today, `2026-03-04 10:32` otherwise, in local time. */
const localTime = (iso: string): string => {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const two = (n: number) => String(n).padStart(2, "0")
  const day = (of: Date) => `${of.getFullYear()}-${two(of.getMonth() + 1)}-${two(of.getDate())}`
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`
  return day(time) === day(new Date()) ? clock : `${day(time)} ${clock}`
}

/** `process 812 on ward-3 since 10:32`. */
export const holderWords = (holder: Holder | null): string =>
  holder === null ? "another process" : `process ${holder.pid} on ${holder.host} since ${localTime(holder.since)}`
