import { DesignName } from "../domain/DesignName.ts"
import { type DesignScale, tenPoints } from "./Design.ts"
import { designOf } from "./designs/registry.ts"

/** The scale of a design by its name, as a run's settings have it. */
export const scaleOf = (design: string): DesignScale => {
  const name = DesignName.literals.find((one) => one === design)
  return name === undefined ? tenPoints : designOf({ design: name, samples: 1 }).scale
}
