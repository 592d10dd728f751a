import type { FrontierKind } from "../../domain/Campaign.ts"
import type { TableIndex } from "../itemTable.ts"
import type { Frontier } from "./Frontier.ts"
import { groupFrontier } from "./group.ts"
import { instanceFrontier } from "./instance.ts"
import { objectivesFrontier } from "./objectives.ts"

/** An empty frontier of the kind, for candidates evaluated on the notes of the table. */
export const frontierOf = (kind: FrontierKind, index: TableIndex): Frontier => {
  switch (kind) {
    case "instance":
      return instanceFrontier(index)
    case "group":
      return groupFrontier(index)
    case "objectives":
      return objectivesFrontier()
  }
}
