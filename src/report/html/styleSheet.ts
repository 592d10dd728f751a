import { dark, light, variables } from "./palette.ts"

const layout = `
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","DejaVu Sans",sans-serif;display:grid;grid-template-columns:14.5rem minmax(0,1fr);grid-template-areas:"top top" "toc main" "foot foot";column-gap:2.5rem;max-width:90rem;margin:0 auto;padding:0 1.5rem}
h1,h2,h3,.verdict .head{font-family:Charter,"Iowan Old Style","Palatino Linotype",Georgia,"Noto Serif","DejaVu Serif",serif;line-height:1.2;font-weight:600;text-wrap:balance}
h1{font-size:2.3rem;margin:.1em 0 .25em;overflow-wrap:anywhere}
h2{font-size:1.55rem;margin:0 0 .3em;padding-top:.9rem;border-top:3px solid var(--ink)}
h3{font-size:1.1rem;margin:1.6rem 0 .4rem;overflow-wrap:anywhere}
p{margin:.4em 0 .8em;max-width:46rem}
a{color:var(--link)}
code,pre,.mono{font-family:ui-monospace,"Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.88em}
code{background:var(--sunk);padding:.1em .35em;border-radius:.25em;overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:3px}
main:focus{outline:none}
.skip{position:absolute;left:-999rem;top:0;background:var(--ink);color:var(--page);padding:.6rem 1rem;z-index:9}
.skip:focus{left:1rem;top:.5rem}
.away{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.top{grid-area:top;padding:1.8rem 0 1.2rem}
.top p{color:var(--soft)}
.mark{font-size:.95rem;letter-spacing:.12em;text-transform:lowercase;margin:0}
.banner{border:1px solid var(--edge);border-left:.4rem solid var(--open);background:var(--card);color:var(--ink)!important;padding:.6rem .9rem;border-radius:.3rem}
.toc{grid-area:toc;font-size:.92rem}
.toc ol{position:sticky;top:1rem;list-style:none;margin:0;padding:0;counter-reset:part}
.toc li{counter-increment:part}
.toc a{display:flex;gap:.6em;padding:.36rem .5rem;color:var(--ink);text-decoration:none;border-left:2px solid var(--rule)}
.toc a::before{content:counter(part);color:var(--soft);font-variant-numeric:tabular-nums;min-width:1.2em;text-align:right}
.toc a:hover,.toc a[aria-current]{border-left-color:var(--link);color:var(--link);background:var(--sunk)}
main{grid-area:main;min-width:0}
main>section{margin-bottom:3.2rem}
.lead{color:var(--soft);font-size:1.02rem}
.note,.remarks,figcaption{font-size:.86rem;color:var(--soft)}
.remarks{margin:.4rem 0 0;padding-left:1.1rem;max-width:56rem}
.empty{background:var(--sunk);padding:.8rem 1rem;border-radius:.4rem;max-width:none}
footer{grid-area:foot;border-top:1px solid var(--rule);padding:1rem 0 3rem;font-size:.88rem;color:var(--soft)}
.verdict{background:var(--card);border:1px solid var(--rule);border-left:.45rem solid var(--open);border-radius:.4rem;padding:1rem 1.3rem .6rem;margin:.6rem 0 1.2rem}
.verdict p{max-width:60rem}
.verdict .head{font-size:1.32rem;margin:0 0 .4rem;color:var(--open)}
.verdict.good{border-left-color:var(--good)}.verdict.good .head{color:var(--good)}
.verdict.bad{border-left-color:var(--bad)}.verdict.bad .head{color:var(--bad)}
.tiles{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));background:var(--card);border:1px solid var(--rule);border-radius:.4rem;overflow:hidden;margin:0 0 1rem}
.tile{box-shadow:0 0 0 .5px var(--rule);padding:.8rem 1rem}
.tile dt{font-size:.84rem;color:var(--soft);overflow-wrap:anywhere}
.tile dd{margin:0;display:flex;flex-direction:column;font-size:.84rem;color:var(--soft);font-variant-numeric:tabular-nums}
.tile dd b{font-size:1.55rem;line-height:1.3;color:var(--ink);font-weight:600;letter-spacing:-.01em}
`

const tables = `
.scroll{overflow:auto;margin:.8rem 0;border:1px solid var(--rule);border-radius:.4rem;max-height:34rem}
.scroll,.pan,.toc ol{background:linear-gradient(to left,var(--card) 40%,transparent) right/3rem 100% no-repeat local,linear-gradient(to left,var(--edge),transparent) right/.9rem 100% no-repeat scroll,var(--card)}
table{border-collapse:collapse;width:100%;font-size:.86rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.6rem .8rem .4rem;color:var(--ink)}
th,td{padding:.34rem .8rem;text-align:left;vertical-align:top;border-top:1px solid var(--rule)}
thead th{position:sticky;top:0;background:var(--sunk);font-weight:600;color:var(--soft);vertical-align:bottom;z-index:2}
tbody th{font-weight:500;min-width:6rem}
tbody th:first-child{position:sticky;left:0;background:var(--card);z-index:1}
td:not(.n){min-width:4.5rem}
.crowded{font-size:.8rem}.crowded :is(th,td){padding-inline:.34rem}.crowded tbody th{min-width:5rem}
td>bdi,th>bdi{display:inline-block;max-width:34rem;overflow-wrap:break-word}
th.n,td.n{text-align:right}
tr.marked th:first-child,tr.marked td,tr.marked th{background:var(--sunk);font-weight:600}
details{margin:.8rem 0}
summary{cursor:pointer;color:var(--link);padding:.3rem 0}
bdi{unicode-bidi:isolate}
q{quotes:"“" "”"}
.tag{font-size:.78rem;border:1px solid var(--edge);border-radius:1em;padding:.05em .6em;color:var(--soft);white-space:nowrap}
.tag.bad{border-color:var(--bad);color:var(--bad);font-weight:600}
.tag.good{border-color:var(--good);color:var(--good);font-weight:600}
.leaks{list-style:none;padding:0}
.leaks li{border-left:.3rem solid var(--rule);padding-left:1rem;margin:.8rem 0;overflow-wrap:anywhere}
blockquote{margin:.3rem 0 .3rem .6rem;padding:.3rem .8rem;background:var(--sunk);border-radius:.3rem;overflow-wrap:anywhere}
`

const charts = `
figure{margin:.8rem 0}
.chart{display:block;width:100%;height:auto;overflow:visible;font-size:12px}
.chart text{fill:var(--ink)}
.chart .tick{fill:var(--soft)}
.chart .name{fill:var(--soft)}
.chart .axis{stroke:var(--edge);stroke-width:1}
.chart .grid{stroke:var(--rule);stroke-width:1}
.chart .whisker{stroke:var(--soft);stroke-width:1.6}
.chart .asked{stroke:var(--bad);stroke-width:2;stroke-dasharray:4 3}
.chart .point{fill:var(--ink)}
.chart .best{fill:none;stroke:var(--clean);stroke-width:2.2}
.chart .second{fill:none;stroke:var(--flawed);stroke-width:2.2;stroke-dasharray:6 4}
.chart .seed{fill:var(--card);stroke:var(--ink);stroke-width:1.8}
.chart .child{fill:var(--clean);stroke:var(--card);stroke-width:1.2}
.chart .raced{fill:var(--card);stroke:var(--clean);stroke-width:1.8;stroke-dasharray:2.5 2}
.chart .other{fill:var(--flawed);stroke:var(--card);stroke-width:1.2}
.chart .winner-path{stroke:var(--winner);stroke-width:2.6}
.chart .winner{fill:var(--winner);stroke:var(--card);stroke-width:1}
.chart .feasible{fill:var(--cleanGround)}
.chart .cap{stroke:var(--flawed);stroke-width:1.6;stroke-dasharray:5 4}
.chart .bar-clean{fill:var(--clean)}
.chart .bar-flawed{fill:url(#hatch)}
.chart .hatch-line{stroke:var(--flawed);stroke-width:3}
.chart .hatch-ground{fill:var(--flawedGround)}
.chart .outline-flawed{fill:none;stroke:var(--flawed);stroke-width:1.3}
.chart .limit{stroke:var(--bad);stroke-width:1.6;stroke-dasharray:5 4}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;font-size:.86rem;color:var(--soft);margin:.3rem 0;padding:0;list-style:none}
.legend svg{display:inline-block;width:18px;height:14px;vertical-align:-2px;margin-right:.35em;overflow:visible}
.two>figure{margin:0}
.panel>h3{margin-top:0}
.narrow{max-width:43rem}
.forest{font-size:12px;max-width:27rem}
.panel{background:var(--card);border:1px solid var(--rule);border-radius:.4rem;padding:.8rem 1rem}
.pan{overflow:auto;max-height:32rem;border:1px solid var(--rule);border-radius:.4rem;position:relative}
.pan>svg{width:auto;max-width:none;display:block}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1rem;align-items:start}
.controls{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin:.6rem 0}
.controls label{display:flex;flex-direction:column;font-size:.82rem;color:var(--soft);gap:.15rem;max-width:100%}
.controls label.row{flex-direction:row;align-items:center;gap:.4rem;min-height:2.4rem}
select,button,input{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--edge);border-radius:.35rem;padding:.35rem .6rem;min-height:2.4rem;max-width:100%}
input[type=checkbox],input[type=radio]{min-height:0;width:1.15rem;height:1.15rem;accent-color:var(--link)}
input[type=range]{padding:0;min-width:12rem;accent-color:var(--link)}
button{cursor:pointer}
button:hover,select:hover{border-color:var(--ink)}
button[aria-pressed=true]{background:var(--ink);color:var(--page);border-color:var(--ink)}
`

const browser = `
.tree [role=treeitem]{cursor:pointer;outline:none}
.tree .halo{fill:none;stroke:var(--link);stroke-width:2.5}
.tree:has([role=treeitem]:focus-visible) .halo{stroke:var(--focus);stroke-width:4}
.chart .ring{fill:none;stroke:var(--focus);stroke-width:2.5;pointer-events:none}
.tree .lane{stroke:var(--edge);stroke-width:1.6;fill:none}
.tree .branch{stroke:var(--edge);stroke-width:1.6;fill:none}
.tree .merge{stroke:var(--edge);stroke-width:1.4;fill:none;stroke-dasharray:3 3}
.tree .path{stroke:var(--winner);stroke-width:2.6;fill:none}
.tree .cross{stroke:var(--flawed);stroke-width:1.8;fill:none}
.tree .hush{stroke:var(--soft)}
.chart .label{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}
.facts{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.15rem .9rem;margin:.5rem 0;font-size:.9rem;font-variant-numeric:tabular-nums}
.facts dt{color:var(--soft)}
.facts dd{margin:0;overflow-wrap:anywhere}
.text{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--sunk);border-radius:.35rem;padding:.8rem 1rem;margin:.5rem 0;max-height:30rem;overflow:auto;font-size:.92rem;unicode-bidi:plaintext}
ins,del{padding:.05em .1em;border-radius:.2em}
ins{background:var(--cleanGround);color:var(--ink);text-decoration:underline;text-decoration-color:var(--clean);text-decoration-thickness:2px;text-underline-offset:.15em}
del{background:var(--flawedGround);color:var(--ink);text-decoration:line-through;text-decoration-color:var(--flawed);text-decoration-thickness:2px}
.grid-wrap{position:relative;width:max-content}
.grid-wrap canvas{display:block}
.cell{position:absolute;border:0;padding:0;min-height:0;background:transparent;box-shadow:0 0 0 2px var(--page),0 0 0 4px var(--focus);border-radius:1px;outline:none;pointer-events:none}
.cell:not(:focus){box-shadow:0 0 0 1px var(--page),0 0 0 2px var(--ink)}
.readout{min-height:3.2em;font-size:.9rem;font-variant-numeric:tabular-nums;margin:.5rem 0}
.ramp{display:inline-flex;align-items:center;gap:.4rem}
.ramp canvas{border:1px solid var(--edge)}
.list{list-style:none;margin:0;padding:0;max-height:32rem;overflow:auto;border:1px solid var(--rule);border-radius:.4rem;background:var(--card)}
.list [role=option]{padding:.45rem .8rem;border-bottom:1px solid var(--rule);cursor:pointer;font-size:.9rem;display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:baseline;overflow-wrap:anywhere}
.list [role=option]:focus-visible{outline-offset:-3px}
.list [aria-selected=true]{background:var(--sunk);box-shadow:inset .3rem 0 0 var(--link)}
.gain{color:var(--clean);font-weight:600}.loss{color:var(--flawed);font-weight:600}
.browse{display:grid;grid-template-columns:minmax(15rem,22rem) minmax(0,1fr);gap:1rem;align-items:start}
`

const narrow = `
@media (max-width:64rem){
body{grid-template-columns:minmax(0,1fr);grid-template-areas:"top" "toc" "main" "foot";padding:0 1rem}
.toc{position:sticky;top:0;z-index:5;background:var(--page);margin:0 -1rem;padding:.2rem 1rem;border-bottom:1px solid var(--rule)}
.toc ol{display:flex;overflow-x:auto;position:static;scrollbar-width:thin;background-color:var(--page)}
.toc a{white-space:nowrap;border-left:0;border-bottom:2px solid transparent}
.toc a:hover,.toc a[aria-current]{border-bottom-color:var(--link)}
html{scroll-padding-top:4rem}
main>section:first-child h2{margin-top:1rem}
}
@media (max-width:46rem){
body{font-size:15.5px}
h1{font-size:1.75rem}h2{font-size:1.35rem}
.top{padding:1.1rem 0 .8rem}
.browse{grid-template-columns:minmax(0,1fr)}
.list{max-height:16rem}
.tiles{grid-template-columns:repeat(2,minmax(0,1fr))}
.tile{padding:.6rem .8rem}
.tile dd b{font-size:1.3rem}
.verdict{padding:.8rem 1rem .4rem}
th,td{padding:.32rem .55rem}
tbody th{max-width:9rem;overflow-wrap:break-word}
.facts{grid-template-columns:minmax(0,1fr)}.facts dt{margin-top:.35rem}
.controls label{width:100%}
.controls label.row{width:auto}
select{width:100%}
}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media (forced-colors:active){.chart .point,.chart .child,.chart .winner-path{stroke:var(--winner);stroke-width:2.6}
.chart .winner{forced-color-adjust:none}}
`

const print = `
@page{margin:16mm 14mm}
@media print{
:root{${variables(light)};color-scheme:light}
body{display:block;background:#fff;padding:0;font-size:10pt;max-width:none}
.toc,.skip,.controls,.hint{display:none}
details::details-content{display:block;content-visibility:visible;block-size:auto}
.pan,.scroll,.list,.text{max-height:none;overflow:visible;border-color:var(--rule)}
.pan>svg{width:100%;max-width:100%;height:auto}
.grid-wrap{width:auto}.grid-wrap canvas{max-width:100%;height:auto!important}.cell{display:none}
.scroll,.pan{background:none}
.two{grid-template-columns:1fr 1fr}p{orphans:3;widows:3}.lead{break-inside:avoid}
thead th,tbody th:first-child{position:static}
table{font-size:7pt}th,td,thead th,th.n,td.n{padding:.12rem .25rem}td:not(.n),tbody th{min-width:0}td>bdi,th>bdi{max-width:none;overflow-wrap:anywhere;min-width:3.6em}
.crowded{font-size:6.2pt}.crowded :is(th,td){padding-inline:2pt}.crowded tbody th,.crowded td:not(.n){min-width:0}
h2{break-after:avoid;font-size:15pt}h3,caption,summary,.lead,.legend{break-after:avoid}
figure,.tile,.verdict,tr{break-inside:avoid}
main>section{margin-bottom:1.2rem}
a{color:inherit;text-decoration:none}
.browse{display:block}.list{display:block;margin-bottom:.8rem}.list [role=option]{padding:.15rem .5rem;break-inside:avoid}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
`

/** The page's style: light and dark by the reader's preference, one column on narrow screens, ink on paper. */
export const styleSheet = (): string =>
  [
    `:root{color-scheme:light dark;${variables(light)}}`,
    `@media (prefers-color-scheme:dark){:root{${variables(dark)}}}`,
    layout,
    tables,
    charts,
    browser,
    narrow,
    print
  ]
    .map((part) => part.replaceAll("\n", ""))
    .join("\n")
