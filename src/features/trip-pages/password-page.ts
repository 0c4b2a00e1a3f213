import { type Page, smallDocumentOf } from '../../platform/page/document.ts'
import { html } from '../../platform/page/html.ts'
import type { AgencyLook } from '../../platform/page/look.ts'
import type { Words } from './reads/words.ts'

/** Why the form is shown again: the password was wrong, or the next may be tried only after some seconds. */
export type Refused = 'wrong' | { readonly wait: number }

/**
 * Asks for the password without revealing anything about the trip. The form is sent to the address of the page itself.
 */
export function passwordPage(words: Words, look: AgencyLook, refused: Refused | null = null): Page {
  const { title, asked, label, open, wrong, wait } = words.password
  const problem = refused && (refused === 'wrong' ? wrong : wait(refused.wait))
  return smallDocumentOf(
    { language: words.language, title, look },
    html`<p>${asked}</p>
<form method="post">
<label for="password">${label}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${problem && html` aria-invalid="true" aria-describedby="problem"`}>
${problem && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
<button class="button">${open}</button>
</form>
`,
  )
}
