/** A point of a space in which more is better on every axis. */
export type Vector = ReadonlyArray<number>

/** Whether `a` is at least as good as `b` on every axis: it dominates `b`, or equals it. Of equal length. */
export const covers = (a: Vector, b: Vector): boolean => a.every((value, axis) => value >= b[axis]!)

/** Pareto dominance: at least as good everywhere, and better somewhere. */
export const dominates = (a: Vector, b: Vector): boolean => covers(a, b) && !covers(b, a)
