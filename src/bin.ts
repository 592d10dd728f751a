#!/usr/bin/env node
/** The entry of the command line. It loads nothing before it knows that this Node can run the rest. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `assize needs Node 22.19 or newer, and this is Node ${process.versions.node}. In a checkout of the project, "npm exec assize" uses the Node that it pins.\n`
  )
  process.exit(2)
}
const { enableCompileCache } = await import("node:module")
enableCompileCache()
process.env["NODE_ENV"] ??= "production"
const { main } = await import("./cli/main.ts")
main()

export {}
