import { hash } from 'node:crypto'
import { type Html, html } from './html.ts'

/** The stylesheet of all pages: a sheet of paper with a margin for the hours, on any width, dark screens and paper itself. */
export const STYLE = html`
:root {
  color-scheme: light dark;
  --paper: #faf8f4; --card: #fff; --ink: #20262b; --soft: #5b636b; --line: #e3ded4; --accent: #11606a; --warm: #8a4b12; --glow: #f7efdf;
  --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Noto Serif', Georgia, serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  font: 100%/1.55 var(--sans);
  scroll-padding-top: 3.25rem;
}
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #14181b; --card: #1b2125; --ink: #ebe8e2; --soft: #a7afb6; --line: #2f373d; --accent: #84ccd4; --warm: #e5b37c; --glow: #28241c; }
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
h1, h2, h3, p, ol, ul, dl, dd { margin: 0; padding: 0; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.2; text-wrap: balance; }
ol, ul { list-style: none; }
img { display: block; position: relative; width: 100%; object-fit: cover; background: var(--line); border-radius: .75rem; }
img:not(.logo)::after { content: ''; position: absolute; inset: 0; background: inherit; border-radius: inherit; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .06em; }
:focus-visible { outline: .2rem solid var(--accent); outline-offset: .2rem; border-radius: .2rem; }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }
[dir='auto'] { text-align: left; }
.text[dir='auto'] { text-align: start; white-space: pre-line; }
.soft { color: var(--soft); }
.skip { position: absolute; inset-inline-start: -100vw; }
.skip:focus { inset-inline-start: 1rem; top: 1rem; z-index: 2; padding: .5rem 1rem; background: var(--card); }
body > * { max-width: 50rem; margin-inline: auto; padding-inline: clamp(1rem, 5vw, 3rem); }
.agency { padding-block: 1.75rem 1.25rem; font-weight: 600; color: var(--accent); }
.logo { width: auto; max-width: min(100%, 16rem); height: 2.75rem; object-fit: contain; object-position: 0 50%; background: none; border-radius: 0; }
.cover { aspect-ratio: 5 / 2; margin-bottom: 1.75rem; }
h1 { font-size: clamp(1.9rem, 1.3rem + 3vw, 3rem); line-height: 1.1; letter-spacing: -.01em; }
.dates { margin-top: .75rem; font-size: 1.125rem; }
.printed { display: none; }
.summary { margin-top: 1.25rem; max-width: 40rem; }
.people { margin-top: 1.25rem; }
.people dt { font-size: .875rem; color: var(--soft); }
.button { display: inline-block; margin-top: 1.5rem; padding: .6rem 1.1rem; border: 1px solid var(--accent); border-radius: 2rem; background: none; color: var(--accent); font: inherit; font-weight: 600; line-height: 1.4; text-decoration: none; cursor: pointer; }
.button:hover { background: var(--accent); color: var(--paper); }
.notice { margin-top: 1.25rem; padding: .75rem 1rem; border-radius: .75rem; background: var(--glow); color: var(--warm); font-weight: 600; }
nav { position: sticky; top: 0; z-index: 1; margin: 2rem calc(-1 * clamp(1rem, 5vw, 3rem)) 0; background: var(--paper); border-block: 1px solid var(--line); }
nav ol { display: flex; gap: .25rem; overflow-x: auto; padding: .4rem clamp(.5rem, 4vw, 2.5rem); scrollbar-width: thin; }
nav a { display: block; padding: .4rem .6rem; border-radius: .5rem; font-size: .9rem; white-space: nowrap; text-decoration: none; }
nav a:hover { background: var(--glow); }
nav a:focus-visible { outline-offset: -.2rem; }
.day { padding-top: 3rem; }
.day h2 { font-size: 1.6rem; }
.day header > * + * { margin-top: .35rem; }
.about { font-family: var(--serif); font-size: 1.15rem; }
.wide { aspect-ratio: 3 / 1; margin-top: 1rem; }
.day > .text { margin-top: .5rem; }
.stay { margin-top: 1rem; padding-inline-start: 1rem; border-inline-start: .2rem solid var(--line); color: var(--soft); font-size: .95rem; }
.day li { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .25rem 1.25rem; margin-top: 1rem; padding: 1.1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .9rem; }
.day .special { border-color: var(--warm); }
.hour { font-size: 1.125rem; font-weight: 600; line-height: 1.35; }
.hour span { display: block; font-size: .95rem; font-weight: 400; color: var(--soft); }
.later { font-size: .875rem; font-weight: 400; color: var(--soft); white-space: nowrap; }
.day li > div { grid-column: 2; min-width: 0; }
.day li > div > * + * { margin-top: .5rem; }
.day small { display: block; margin-bottom: .15rem; font: 600 .875rem/1.4 var(--sans); color: var(--accent); }
.day b { display: inline-block; margin-inline-start: .25rem; padding: 0 .5rem; border: 1px solid; border-radius: 1rem; font-weight: 500; font-size: .8rem; color: var(--warm); }
.day h3 { font-size: 1.25rem; }
.day dl { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .25rem 1.5rem; }
.day dl dt { font-size: .875rem; color: var(--soft); }
.day dl .time { font-size: 1.125rem; font-weight: 600; }
.day dl .soft { font-size: .9rem; }
.price { font-weight: 600; font-variant-numeric: tabular-nums; }
footer { padding-block: 3.5rem 3rem; font-size: .9rem; color: var(--soft); }
.agency:has(+ .alone) { max-width: 32rem; }
.alone { padding-block: 14vh 4rem; max-width: 32rem; }
.alone h1 { font-size: 1.9rem; }
.alone p { margin-top: .75rem; }
button.button { background: var(--accent); color: var(--paper); }
button.button:hover { background: none; color: var(--accent); }
label { display: block; margin-top: 1.5rem; font-weight: 600; }
input, textarea { width: 100%; min-width: 0; margin-top: .4rem; padding: .65rem .9rem; border: 1px solid var(--soft); border-radius: .6rem; background: var(--card); color: inherit; font: inherit; }
[aria-invalid='true'] { border: 2px solid var(--warm); }
.problem { margin-top: .35rem; color: var(--warm); font-weight: 600; }
@media screen and (prefers-color-scheme: dark) {
  .logo { padding: .35rem .6rem; background: #fff; border-radius: .5rem; }
}
@media (max-width: 34rem) {
  .day li { grid-template-columns: minmax(0, 1fr); padding: 1rem; }
  .day li > div { grid-column: 1; }
  .hour { display: flex; flex-wrap: wrap; align-items: baseline; gap: .4rem; }
  .hour:has(+ div dl > :nth-child(2)):not(:has(span)) { display: none; }
  .cover { aspect-ratio: 16 / 9; }
}
@page { margin: 16mm 15mm; }
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000; --warm: #000; --glow: #fff; font-size: 10pt; }
  body > * { max-width: none; padding-inline: 0; }
  nav, .skip, .button, footer { display: none; }
  .printed { display: block; }
  a { text-decoration: none; }
  .agency { padding-top: 0; }
  h1 { font-size: 24pt; }
  .notice { border: 1px solid; }
  .cover { aspect-ratio: 4 / 1; }
  .wide { aspect-ratio: 5 / 1; }
  label { break-after: avoid; }
  .day { padding-top: 1.6rem; }
  .day + .day, .day li { break-inside: avoid; }
  h2, h3, .day header { break-after: avoid; }
  .day li { margin-top: .5rem; padding: .6rem 0; border-width: 1px 0 0; border-radius: 0; }
  .day .special { border-width: 2px 0 0; }
  img { background: none; }
  img:not(.logo)::after { background: #fff; }
}
`

/** What a policy names a stylesheet by, so that no other is applied. */
export const hashOf = ({ text }: Html): string => `sha256-${hash('sha256', text, 'base64')}`
