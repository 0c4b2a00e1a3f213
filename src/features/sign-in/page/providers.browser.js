// The part of the sign-in page about providers. It runs before the rest, which removes the fragment.
const place = document.getElementById('providers')
const words = JSON.parse(place.dataset.words)
const fragment = new URLSearchParams(location.hash.slice(1))
const account = new URLSearchParams(location.search).get('account')
const [token, problem, reason] = ['link', 'problem', 'reason'].map((name) => fragment.get(name))

async function send(method, path, body) {
  const response = await fetch(`/app/v1/sign_in${path}`, {
    method,
    headers: { 'backdesk-console': '1', ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  return response.ok ? (await response.json()).data : null
}

function showProblem(name, code) {
  const text = Object.hasOwn(words.problems, name) ? words.problems[name] : words.problems.invalid
  const shown = document.getElementById('provider-problem')
  shown.textContent = /^[\w.-]+$/.test(code ?? '') ? `${text} (${code})` : text
  shown.hidden = false
}

/** Adds a button for each provider. A link of `go` leads on; a function is called. */
function offer(providers, go) {
  for (const provider of providers ?? []) {
    const button = document.createElement(token ? 'button' : 'a')
    button.className = 'button'
    button.textContent = words.signInWith.replace('{name}', () => provider.name)
    if (token) {
      button.type = 'button'
      button.addEventListener('click', () => go(provider))
    } else button.href = `/app/v1/sign_in/oidc/${provider.id}/start`
    const line = document.createElement('p')
    line.append(button)
    place.append(line)
  }
}

async function accept({ id }) {
  const sent = await send('POST', '/link/provider', { token, provider_id: id })
  if (sent) location.assign(sent.url)
  else showProblem('link_used')
}

if (problem) {
  history.replaceState(null, '', location.pathname + location.search)
  showProblem(problem, reason)
}
if (token) offer(await send('POST', '/link/providers', { token }), accept)
else if (/^\d{8}$/.test(account ?? '')) offer(await send('GET', `/providers?account=${account}`))
