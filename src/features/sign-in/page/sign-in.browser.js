// The script of the sign-in page.
import { beginApp, hasPasskeys, showCodes, showPasskey } from './factors.browser.js'

const element = (id) => document.getElementById(id)
const [signInForm, signOutForm] = [element('sign-in'), element('sign-out')]
const words = JSON.parse(signInForm.dataset.words)
const fragment = new URLSearchParams(location.hash.slice(1))
const [token, emailToken] = [fragment.get('link'), fragment.get('email_change')]
/**
 * What the form asks for: an e-mail and a password, a new password for a link, only to go on with a link (`nothing`) or a
 * change of an address (`email`), a second factor to sign in (`code`), for a session that owes one (`proof`), or a new one
 * (`app`).
 */
let asking = 'password'
/** The sign-ins that wait for a second factor. */
let waiting = []
/** The account that answers: the first one that the browser is signed in to. */
let account = null

const ASKS_PASSWORD = ['password', 'new']
const ASKS_CODE = ['code', 'proof', 'app']
const LABELS = { new: words.choose, email: words.confirmEmail, app: words.addApp, proof: words.confirmCode }

/** Sends a request to the application API. Returns its status and body. */
async function send(method, path, body) {
  const response = await fetch(`/app/v1${path}`, {
    method,
    headers: {
      'backdesk-console': '1',
      ...(account && { 'backdesk-account': account }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

const filledIn = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name])

function showForm() {
  element('email-field').hidden = asking !== 'password'
  element('email').required = asking === 'password'
  element('password-field').hidden = !ASKS_PASSWORD.includes(asking)
  element('password').required = ASKS_PASSWORD.includes(asking)
  element('code-field').hidden = !ASKS_CODE.includes(asking)
  element('code').required = ASKS_CODE.includes(asking)
  element('code').value = ''
  element('code-label').textContent = asking === 'app' ? words.firstCode : words.code
  element('forgot-field').hidden = asking !== 'password'
  element('passkey-field').hidden = !hasPasskeys || !['password', 'code', 'proof'].includes(asking)
  element('password-label').textContent = asking === 'new' ? words.newPassword : words.password
  element('password').autocomplete = asking === 'new' ? 'new-password' : 'current-password'
  element('submit').textContent = LABELS[asking] ?? words.signIn
  signInForm.hidden = false
}

function showProblem(body) {
  const { error, code, details } = body ?? {}
  const reasons = details?.password ?? details?.code
  const again = code === 'proof_required' ? words.signInAgain : null
  element('problem').textContent = again ?? reasons?.join(' ') ?? error ?? words.failed
  element(ASKS_CODE.includes(asking) ? 'code' : 'password').setAttribute('aria-invalid', 'true')
}

function showAbove(text) {
  element('for').textContent = text
  element('for').hidden = false
}

/** Shows who is signed in, or the form. Returns whether somebody is. */
async function showPerson() {
  const browser = await send('GET', '/sign_in')
  if (browser.status !== 200) showProblem(browser.body)
  account = browser.body?.data?.[0]?.account ?? null
  signOutForm.hidden = account === null
  if (account === null) return false
  const { status, body } = await send('GET', '/me')
  if (body?.code === 'second_factor_required') return askForFactor()
  if (status !== 200) {
    showProblem(body)
    return false
  }
  signInForm.hidden = true
  document.querySelector('h1').textContent = words.signedIn
  const values = { name: body.user.name ?? body.user.email, account: body.account.name, role: body.user.role }
  element('status').textContent = filledIn(words.as, values)
  return true
}

/** The session owes a second factor: one that the seat has, or a first one. */
async function askForFactor() {
  const own = await send('GET', '/session/second_factor')
  const isEnrolled = own.status === 200 && (own.body.data.totp_since !== null || own.body.data.passkeys > 0)
  asking = isEnrolled ? 'proof' : 'app'
  showAbove(isEnrolled ? words.owesFactor : words.demandsFactor)
  const begun = isEnrolled ? own : await beginApp(send)
  showForm()
  if (begun.status >= 400) showProblem(begun.body)
  return true
}

async function useLink() {
  history.replaceState(null, '', location.pathname) // a link is not left in the history
  const path = token ? '/sign_in/link/inspect' : '/sign_in/email_change/inspect'
  const { status, body } = await send('POST', path, { token: token ?? emailToken })
  if (status === 200 && emailToken) {
    asking = 'email'
    showAbove(filledIn(words.emailChange, body.data))
  } else if (status === 200) {
    // Signing in at once would let a stranger's link sign somebody in to the stranger's account unseen.
    asking = body.data.purpose === 'sign_in' ? 'nothing' : 'new'
    showAbove(filledIn(words.for, body.data))
  } else showProblem(body)
  showForm()
}

/** Goes on with what the application answered. */
async function goOn({ status, body }) {
  if (status !== 200) {
    // A sign-in that has expired begins again.
    if (asking === 'code' && status === 404) {
      asking = 'password'
      showForm()
    }
    return showProblem(body)
  }
  element('problem').textContent = ''
  if (asking === 'email') {
    signInForm.hidden = true
    element('status').textContent = filledIn(body.data.changed ? words.emailChanged : words.emailConfirmed, body.data)
    return
  }
  if (asking === 'app') showCodes(body.data.recovery_codes)
  else if (asking !== 'proof') waiting = [...waiting.slice(1), ...body.second_factor]
  if (waiting.length > 0) {
    asking = 'code'
    showAbove(waiting[0].name)
    showForm()
    return element('code').focus()
  }
  await showPerson()
}

signInForm.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { email, password, code } = Object.fromEntries(new FormData(signInForm))
  element('submit').disabled = true
  const [path, given] = {
    password: ['/sign_in/password', { email, password }],
    new: ['/sign_in/link', { token, password }],
    nothing: ['/sign_in/link', { token }],
    email: ['/sign_in/email_change', { token: emailToken }],
    code: ['/sign_in/second_factor', { token: waiting[0]?.token, ...factorIn(code) }],
    proof: ['/session/proof', factorIn(code)],
    app: ['/session/totp/confirm', { code }],
  }[asking]
  const answer = await send('POST', path, given).catch(() => ({ status: 0 }))
  element('submit').disabled = false
  await goOn(answer)
})
/** Apps show six digits; what is longer is a recovery code. */
const factorIn = (typed) => (/^\s*(\d[ -]?){6}\s*$/.test(typed) ? { code: typed.trim() } : { recovery_code: typed })

element('passkey').addEventListener('click', async () => {
  const answer = await showPasskey(send, asking, waiting[0]).catch(() => ({ status: 0 }))
  if (answer) await goOn(answer)
})
element('forgot').addEventListener('click', async () => {
  element('problem').textContent = ''
  const email = element('email').value.trim()
  if (email === '') {
    element('problem').textContent = words.addressFirst
    return element('email').focus()
  }
  const answer = await send('POST', '/sign_in/reset', { email }).catch(() => ({ status: 0 }))
  if (answer.status !== 204) return showProblem(answer.body)
  element('status').textContent = words.resetSent
})
signOutForm.addEventListener('submit', async (event) => {
  event.preventDefault()
  await send('DELETE', '/session')
  location.reload()
})

if (token || emailToken) await useLink()
else if (!(await showPerson())) showForm()
