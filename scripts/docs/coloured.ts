const escapeHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const colours = ["#24292f", "#cf222e", "#2da44e", "#bf8700", "#3b82f6", "#a475f9", "#1b9aaa", "#d0d7de"]

/** A terminal's screen, as `tmux capture-pane -e` gives it, as an HTML page: colours, bold, dim and inverse. */
export const coloured = (screen: string): string => {
  const style = new Map<string, string>()
  const html = screen.split(/\u001b\[([\d;]*)m/).map((piece, at) => {
    if (at % 2 === 0) {
      const css = [...style].map(([property, value]) => `${property}:${value}`).join(";")
      return css === "" ? escapeHtml(piece) : `<span style="${css}">${escapeHtml(piece)}</span>`
    }
    for (const code of (piece === "" ? "0" : piece).split(";").map(Number)) {
      if (code === 0) style.clear()
      else if (code === 1) style.set("font-weight", "700")
      else if (code === 2) style.set("opacity", "0.65")
      else if (code === 7) {
        style.set("background", "#d0d7de")
        style.set("color", "#0d1117")
      } else if (code === 22) {
        style.delete("font-weight")
        style.delete("opacity")
      } else if (code === 27) {
        style.delete("background")
        style.delete("color")
      } else if (code >= 30 && code <= 37) style.set("color", colours[code - 30]!)
      else if (code >= 90 && code <= 97) style.set("color", colours[code - 90]!)
      else if (code === 39) style.delete("color")
    }
    return ""
  })
  return `<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#0d1117}pre{display:inline-block;margin:0;padding:14px 18px;background:#0d1117;color:#d0d7de;font:13px/1.35 "DejaVu Sans Mono",monospace}</style><pre>${html.join("").trimEnd()}</pre>`
}
