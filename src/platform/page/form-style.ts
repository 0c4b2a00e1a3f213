import { html } from './html.ts'

/** Styles of pages with a form of several fields, besides the stylesheet of all pages. */
export const FORM_STYLE = html`
[role] :focus-visible + span { outline: .2rem solid var(--accent); outline-offset: .2rem; border-radius: .2rem; }
input, textarea { display: block; }
textarea { min-height: 8rem; resize: vertical; }
fieldset { min-width: 0; margin: 2.5rem 0 0; padding: 0; border: 0; }
legend { padding: 0; font: 600 1.35rem/1.2 var(--serif); }
legend + .hint { margin-top: .35rem; }
.hint + div > label, legend + div > label { margin-top: 1rem; }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); gap: 0 1.25rem; }
.short { max-width: 8rem; }
.hint { font-size: .9rem; color: var(--soft); }
.check { display: flex; gap: .7rem; align-items: center; margin-top: 1rem; font-weight: 400; }
.check input { flex: none; width: 1.3rem; height: 1.3rem; margin: 0; accent-color: var(--accent); }
form { max-width: 40rem; }
.enquiry [dir='auto'] { text-align: start; }
.consent { margin-top: 2rem; font-size: .9rem; }
.notice > * + * { margin-top: .25rem; color: var(--ink); font-weight: 400; }
.questions h2 { margin-top: 3.5rem; font-size: 1.6rem; }
.comment label { margin-top: 3.5rem; font: 600 1.35rem/1.2 var(--serif); }
.questions h2 + p, label + p { margin-top: .35rem; }
.when { margin-top: 2rem; font: 600 .9rem var(--sans); }
[role] legend { float: left; width: 100%; }
[role] label { position: relative; margin: 0; text-align: center; }
[role] input { position: absolute; inset: 0; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
[role] label span { display: block; border-radius: .6rem; }
.scale > div { clear: both; display: grid; grid-template-columns: repeat(11, 1fr); gap: .35rem; padding-top: 1rem; }
.scale label span { padding-block: .6rem; border: 1px solid var(--soft); background: var(--card); }
.scale :checked + span { background: var(--accent); color: var(--paper); forced-color-adjust: none; }
.scale[aria-invalid] { padding: 1rem; border-radius: .9rem; }
.ends { display: flex; justify-content: space-between; gap: 1rem; margin-top: .5rem; font-size: .9rem; }
.ends > :last-child { text-align: end; }
.stars { margin-top: .75rem; padding: .9rem 1.1rem; background: var(--card); border: 1px solid var(--line); border-radius: .9rem; }
.stars legend { font-size: 1.1rem; }
.stars > div { clear: both; display: flex; flex-wrap: wrap; align-items: center; margin-inline: -.4rem; }
.stars label { color: var(--soft); }
.stars label:is(:has(:checked), :has(~ label :checked), :hover, :has(~ label:hover)) { color: var(--warm); }
.stars label:is(:has(:checked), :has(~ label :checked)) { --star: '★'; }
.stars span { min-width: 2.5rem; font-weight: 400; }
.stars span:empty { font-size: 2rem; line-height: 2.75rem; }
.stars span:empty::before { content: var(--star, '☆'); }
.stars div > :first-child { order: 1; margin-inline-start: auto; padding: .5rem; font-size: .875rem; }
.stars span:not(:empty) { color: var(--soft); }
.stars :not(:checked) + span:not(:empty) { text-decoration: underline; }
.trap { display: none; }
.stars small { display: block; margin-bottom: .15rem; font: 600 .875rem/1.4 var(--sans); color: var(--accent); }
@media (max-width: 34rem) {
  form .button { width: 100%; padding-block: .8rem; }
  .scale > div { grid-template-columns: repeat(6, 1fr); }
}
@media print {
  .comment:has(:placeholder-shown), .comment .soft, .stars div > :first-child { display: none; }
  form { max-width: none; }
  fieldset { margin-top: 1.25rem; break-inside: avoid; }
  [role] label { break-after: auto; }
  .questions h2, .comment label { margin-top: 1.25rem; }
  .when { margin-top: .75rem; }
  .stars { margin-top: .4rem; padding: .4rem .8rem; }
  .stars legend { width: 70%; }
  .stars > div { clear: none; justify-content: flex-end; }
  .stars small { display: inline; margin-inline-end: .5rem; }
  .stars span:empty { font-size: 1.5rem; line-height: 1.8rem; }
  textarea { min-height: 0; padding: 0; border: 0; outline: 0; field-sizing: content; resize: none; }
}
`
