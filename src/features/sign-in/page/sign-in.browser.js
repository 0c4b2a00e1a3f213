// The script of the sign-in page.
const element = (id) => document.getElementById(id)
const [signInForm, signOutForm] = [element('sign-in'), element('sign-out')]
const words = JSON.parse(signInForm.dataset.words)
const token = new URLSearchParams(location.hash.slice(1)).get('link')
/** What the form asks for: an e-mail and a password, a new password for a link, a second factor, or only to go on with a link. */
let asking = 'password'
/** The sign-ins that wait for a second factor. */
let waiting = []
/** The account that answers: the first one that the browser is signed in to. */
let account = null

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
  element('password-field').hidden = asking === 'nothing' || asking === 'code'
  element('password').required = asking === 'password' || asking === 'new'
  element('code-field').hidden = asking !== 'code'
  element('code').required = asking === 'code'
  element('forgot-field').hidden = asking !== 'password'
  element('password-label').textContent = asking === 'new' ? words.newPassword : words.password
  element('password').autocomplete = asking === 'new' ? 'new-password' : 'current-password'
  element('submit').textContent = asking === 'new' ? words.choose : words.signIn
  signInForm.hidden = false
}

function showProblem(body) {
  const { error, details } = body ?? {}
  element('problem').textContent = details?.password?.join(' ') ?? error ?? words.failed
  element(asking === 'code' ? 'code' : 'password').setAttribute('aria-invalid', 'true')
}

/** Shows who is signed in, or the form. Returns whether somebody is. */
async function showPerson() {
  const browser = await send('GET', '/sign_in')
  if (browser.status !== 200) showProblem(browser.body)
  account = browser.body?.data?.[0]?.account ?? null
  signOutForm.hidden = account === null
  if (account === null) return false
  const { status, body } = await send('GET', '/me')
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

async function useLink() {
  history.replaceState(null, '', location.pathname) // a link is not left in the history
  const { status, body } = await send('POST', '/sign_in/link/inspect', { token })
  if (status === 200) {
    // Signing in at once would let a stranger's link sign somebody in to the stranger's account unseen.
    asking = body.data.purpose === 'sign_in' ? 'nothing' : 'new'
    element('for').textContent = filledIn(words.for, body.data)
    element('for').hidden = false
  } else showProblem(body)
  showForm()
}

signInForm.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { email, password, code } = Object.fromEntries(new FormData(signInForm))
  element('submit').disabled = true
  const [path, given] = {
    password: ['/sign_in/password', { email, password }],
    new: ['/sign_in/link', { token, password }],
    nothing: ['/sign_in/link', { token }],
    code: ['/sign_in/second_factor', { token: waiting[0]?.token, ...factorIn(code) }],
  }[asking]
  const answer = await send('POST', path, given).catch(() => ({ status: 0 }))
  element('submit').disabled = false
  if (answer.status !== 200) {
    // A sign-in that has expired begins again.
    if (asking === 'code' && answer.status === 404) {
      asking = 'password'
      showForm()
    }
    return showProblem(answer.body)
  }
  element('problem').textContent = ''
  waiting = [...waiting.slice(1), ...answer.body.second_factor]
  if (waiting.length > 0) {
    asking = 'code'
    element('for').textContent = waiting[0].name
    element('for').hidden = false
    element('code').value = ''
    showForm()
    return element('code').focus()
  }
  await showPerson()
})
/** Apps show six digits; what is longer is a recovery code. */
const factorIn = (typed) => (/^\s*(\d[ -]?){6}\s*$/.test(typed) ? { code: typed.trim() } : { recovery_code: typed })

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

if (token) await useLink()
else if (!(await showPerson())) showForm()
