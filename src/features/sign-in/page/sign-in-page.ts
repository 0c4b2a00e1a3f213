import { type Page, smallDocumentOf } from '../../../platform/page/document.ts'
import { html } from '../../../platform/page/html.ts'
import type { Language } from '../../../platform/page/language.ts'
import { PROVIDER_WORDS } from './provider-words.ts'
import { SIGN_IN_WORDS } from './words.ts'

export const SCRIPT_PATH = '/console/sign-in.js'
/** As the script of the page imports it. */
export const FACTORS_SCRIPT_PATH = '/console/factors.browser.js'
export const PROVIDERS_SCRIPT_PATH = '/console/sign-in-providers.js'

/**
 * A plain page to sign in on. Its script reads the token of a link from the fragment and sends it: opening the page
 * uses nothing, so mail scanners may open it.
 */
export function signInPage(language: Language, publicUrl: string): Page {
  const words = SIGN_IN_WORDS[language]
  const { protocol, hostname } = new URL(publicUrl)
  const isUsable = protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1'
  const { text, policy } = smallDocumentOf(
    { language, title: words.title, look: null },
    isUsable
      ? html`<noscript><p>${words.noScript}</p></noscript>
<p id="status" role="status"></p>
<p class="problem" id="provider-problem" role="alert" hidden></p>
<form id="sign-in" method="post" hidden data-words="${JSON.stringify(words)}">
<p id="for" hidden></p>
<p id="email-field"><label for="email">${words.email}</label><input id="email" name="email" type="email" autocomplete="username"></p>
<p id="password-field"><label for="password" id="password-label">${words.password}</label><input id="password" name="password" type="password" autocomplete="current-password" required aria-describedby="problem"></p>
<div id="app" hidden><p>${words.secret} <code id="secret"></code></p>
<p><a class="button" id="app-link">${words.openApp}</a></p></div>
<p id="code-field" hidden><label for="code" id="code-label">${words.code}</label><input id="code" name="code" autocomplete="one-time-code" aria-describedby="problem"></p>
<p class="problem" id="problem" role="alert"></p>
<button class="button" id="submit">${words.signIn}</button>
<p id="passkey-field" hidden><button class="button" type="button" id="passkey">${words.passkey}</button></p>
<p id="forgot-field"><button class="button" type="button" id="forgot">${words.forgot}</button></p>
<div id="providers" data-words="${JSON.stringify(PROVIDER_WORDS[language])}"></div>
</form>
<div id="codes" hidden><p>${words.recoveryCodes}</p><pre id="code-list"></pre></div>
<form id="sign-out" method="post" hidden><button class="button">${words.signOut}</button></form>
<script type="module" src="${PROVIDERS_SCRIPT_PATH}"></script>
<script type="module" src="${SCRIPT_PATH}"></script>`
      : html`<p>${words.needsHttps}</p>`,
  )
  // It has no picture of an agency.
  const own = policy.replace('img-src https: data:', 'img-src data:')
  return { text, policy: `${own}; script-src 'self'; connect-src 'self'` }
}
