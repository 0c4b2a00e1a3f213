// The script of the sign-in page.
const element = (id) => document.getElementById(id)
const [signInForm, signOutForm] = [element('sign-in'), element('sign-out')]
const words = JSON.parse(signInForm.dataset.words)
const token = new URLSearchParams(location.hash.slice(1)).get('link')
/** Whether the form chooses the password of a link, instead of asking for one. */
let choosing = false

/** Sends a request to the application API. Returns its status and body. */
async function send(method, path, body) {
  const response = await fetch(`/app/v1${path}`, {
    method,
    headers: { 'backdesk-console': '1', ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

function showForm() {
  element('email-field').hidden = choosing
  element('email').required = !choosing
  element('password-label').textContent = choosing ? words.newPassword : words.password
  element('password').autocomplete = choosing ? 'new-password' : 'current-password'
  element('submit').textContent = choosing ? words.choose : words.signIn
  signInForm.hidden = false
}

function showProblem({ error, details }) {
  element('problem').textContent = details?.password?.join(' ') ?? error
  element('password').setAttribute('aria-invalid', 'true')
}

/** Shows who is signed in, or the form. Returns whether somebody is. */
async function showPerson() {
  const browser = await send('GET', '/sign_in')
  const isSignedIn = browser.body.data.length > 0
  signOutForm.hidden = !isSignedIn
  if (!isSignedIn) return false
  const { body } = await send('GET', '/me')
  signInForm.hidden = true
  document.querySelector('h1').textContent = words.signedIn
  const values = { name: body.user.name ?? body.user.email, account: body.account.name, role: body.user.role }
  element('status').textContent = words.as.replace(/\{(\w+)\}/g, (_, name) => values[name])
  return true
}

async function useLink() {
  history.replaceState(null, '', location.pathname) // a link is not left in the history
  const { status, body } = await send('POST', '/sign_in/link/inspect', { token })
  if (status !== 200) {
    showForm()
    return showProblem(body)
  }
  choosing = body.data.purpose !== 'sign_in'
  if (choosing) return showForm()
  await send('POST', '/sign_in/link', { token })
  if (!(await showPerson())) showForm()
}

signInForm.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { email, password } = Object.fromEntries(new FormData(signInForm))
  element('submit').disabled = true
  const [path, given] = choosing ? ['/sign_in/link', { token, password }] : ['/sign_in/password', { email, password }]
  const answer = await send('POST', path, given).catch(() => ({ status: 0, body: { error: words.failed } }))
  element('submit').disabled = false
  if (answer.status !== 200) return showProblem(answer.body)
  await showPerson()
})
signOutForm.addEventListener('submit', async (event) => {
  event.preventDefault()
  await send('DELETE', '/session')
  location.reload()
})

if (token) await useLink()
else if (!(await showPerson())) showForm()
