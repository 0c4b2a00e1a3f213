import { formDocumentOf, type Page } from '../../../platform/page/document.ts'
import { type Html, type HtmlContent, html } from '../../../platform/page/html.ts'
import type { Language } from '../../../platform/page/language.ts'
import { type AgencyLook, agencyHeader } from '../../../platform/page/look.ts'
import { type EnquiryAttribute, type EnquiryIssue, enquiryAttributes } from '../../leads/commands/enquire.ts'
import type { Typed, Untimely } from './form.ts'
import { REFERRAL_WORDS, type ReferralWords } from './words.ts'

/** What a robot fills in, and a person does not see. */
export const ENQUIRY_TRAP = 'website'

type Shown = {
  readonly look: AgencyLook
  /** Identifies the form when it is submitted. */
  readonly form: string
  readonly typed: Typed
  /** Why it is shown again. */
  readonly flaws?: readonly EnquiryIssue[]
  readonly again?: Untimely | 'busy' | 'too_many' | null
}

/** The enquiry form. It is sent to the address of the page itself. */
export function enquiryPage(language: Language, { look, form, typed, flaws = [], again = null }: Shown): Page {
  const { agency } = look
  const words = REFERRAL_WORDS[language]
  const named = html`<bdi>${agency}</bdi>`
  const notice = noticeOf(words, again, flaws.length > 0, named)
  const field = fieldsOf(words, typed, flaws)
  return formDocumentOf(
    { language, title: `${words.title} · ${agency}`, look, preview: { title: words.title } },
    html`${agencyHeader(look)}
<main class="enquiry">
<h1>${words.title}</h1>
<p class="summary">${words.welcome(named)}</p>
${notice && html`<p class="notice" role="alert">${notice}</p>`}
<form method="post">
<input type="hidden" name="form" value="${form}">
<p class="trap"><label for="${ENQUIRY_TRAP}">${words.trap}</label><input id="${ENQUIRY_TRAP}" name="${ENQUIRY_TRAP}" tabindex="-1" autocomplete="off"></p>
<fieldset>
<legend>${words.you}</legend>
<p class="hint">${words.either}</p>
${field('name', words.name, html`autocomplete="name" dir="auto" required`)}
<div class="two">
${field('email', words.email, html`type="email" autocomplete="email" inputmode="email"`)}
${field('phone', words.phone, html`type="tel" autocomplete="tel"`)}
</div>
</fieldset>
<fieldset>
<legend>${words.trip}</legend>
${field('destinations', words.destinations, html`dir="auto" autocomplete="off"`, words.places)}
<div class="two">
${field('target_departure_on', words.departure, html`type="date"`)}
${field('target_return_on', words.back, html`type="date"`)}
</div>
<label class="check"><input type="checkbox" name="flexible_dates" value="yes"${typed.flexible_dates !== '' && html` checked`}> ${words.flexible}</label>
${field('party_size', words.party, html`class="short" type="number" min="1" inputmode="numeric" autocomplete="off"`)}
${field('message', words.message, html`rows="5" dir="auto"`, words.wishes)}
</fieldset>
<p class="soft consent">${words.consent(named)}</p>
<button class="button">${words.send}</button>
</form>
</main>
<footer><p dir="auto">${agency}</p></footer>`,
  )
}

function noticeOf(words: ReferralWords, again: Shown['again'], isFlawed: boolean, agency: HtmlContent): HtmlContent {
  if (again === 'too_many') return words.again.tooMany(agency)
  if (isFlawed) return words.again.flawed
  return again ? words.again[again] : null
}

/** Renders fields with their values, hints and errors. */
function fieldsOf({ problem }: ReferralWords, typed: Typed, flaws: readonly EnquiryIssue[]) {
  const problemOf = (name: EnquiryAttribute): string | null => {
    const code = flaws.find(({ at }) => at === name)?.code
    if (code === undefined) return null
    return Object.hasOwn(problem, code) ? problem[code as keyof typeof problem] : problem.other
  }
  return (name: EnquiryAttribute, label: string, attributes: Html, hint: string | null = null): Html => {
    const wrong = problemOf(name)
    const about = [hint && `${name}-hint`, wrong && `${name}-problem`].filter(Boolean).join(' ')
    const maximum = enquiryAttributes[name].maxLength
    const all = html`id="${name}" name="${name}" ${attributes}${maximum !== undefined && html` maxlength="${maximum}"`}${
      about !== '' && html` aria-describedby="${about}"`
    }${wrong && html` aria-invalid="true"`}${flaws[0]?.at === name && html` autofocus`}`
    return html`<div>
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${
  name === 'message'
    ? html`<textarea ${all}>
${typed[name]}</textarea>`
    : html`<input ${all} value="${typed[name]}">`
}
${wrong && html`<p class="problem" id="${name}-problem">${wrong}</p>`}
</div>`
  }
}
