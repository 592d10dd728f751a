import { ByteSpool } from "./byteSpool.ts"

/** Values in an order, each made when it is asked for, the same one every time. */
export interface Rows<A> extends Iterable<A> {
  readonly size: number
  readonly at: (number: number) => A
}

/** JSON values in the order in which they were added: few in memory, many in a temporary file. */
export class RowSpool<A> implements Rows<A> {
  readonly #rows = new ByteSpool()

  get size(): number {
    return this.#rows.size
  }

  /** Gives the value's number. */
  add(value: A): number {
    return this.#rows.addText(JSON.stringify(value))
  }

  at(number: number): A {
    return JSON.parse(this.#rows.at(number).toString("utf8")) as A
  }

  *[Symbol.iterator](): Generator<A> {
    for (const bytes of this.#rows) yield JSON.parse(bytes.toString("utf8")) as A
  }
}
