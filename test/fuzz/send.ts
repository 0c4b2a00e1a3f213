import type { Answer } from '../harness/cell.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { codesOf, type Operation } from './operations.ts'
import type { World } from './world.ts'

/** A request as sent. */
type Sent = { readonly url: string; readonly raw: string | Buffer | undefined }
type Holder = World['own']

const NOBODY = '0198c2c6-0000-7000-8000-000000000000'
const BLANK = /@(own|other)\.(\w+)\.(\d+)@/g

/** Replaces the ids that a request left open. */
const fillIn = (text: string, { own, other, said }: World): string =>
  text.replace(BLANK, (_, whose: string, table: string, nth: string) => {
    const holder: Holder = whose === 'own' ? own : other
    const ids = (table === 'cursors' ? holder.cursors : holder.ids[table]) ?? []
    const id = ids[Number(nth) % ids.length] ?? NOBODY
    if (whose === 'other') said.add(id)
    return id
  })

function builtRequest(world: World, request: FuzzRequest): Sent {
  const values = new Map(request.params.map(({ name, value }) => [name, value]))
  const path = request.path.replace(/:(\w+)/g, (_, name: string) => values.get(name) ?? name)
  const query = request.query.map(([name, value]) => `${name}=${value.replaceAll('%40', '@')}`).join('&')
  const body = request.text ?? (request.json === undefined ? undefined : (JSON.stringify(request.json) ?? ''))
  return {
    url: fillIn(query ? `${path}?${query}` : path, world),
    raw: typeof body === 'string' ? fillIn(body, world) : body,
  }
}

/** Sends a request; returns the fault of the response, or null. */
export async function send(world: World, { refusals }: Operation, request: FuzzRequest): Promise<string | null> {
  const { url, raw } = builtRequest(world, request)
  const key = world.keys[request.as] ?? null
  const { authorization, ...headers } = request.headers
  const given = authorization === undefined ? headers : { ...headers, authorization }
  try {
    const answer = await world.cell.call(request.method, url, {
      key,
      headers: given,
      ...(raw !== undefined && { raw }),
    })
    const requestText = `${url}\n${raw ?? ''}\n${Object.values(headers).join('\n')}`
    const refused = refusals.has(answer.status) ? wrongRefusal(world, answer, requestText) : null
    return (
      refused ?? (answer.status >= 500 ? `answered ${answer.status}` : revealsOther(world, answer.text, requestText))
    )
  } catch (error) {
    return (error as Error).message // the response does not match the document
  }
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Texts that only the program can have produced: a source location, a folder, SQL, a PostgreSQL error. */
const INTERNAL =
  /\bat .+\.[jt]s:\d|node_modules|\/(?:tmp|home|usr|work|src)\/\w|\b\w+\.ts\b|SQLSTATE|\bselect .+ from \w|insert into|relation "|violates|syntax error at|invalid input syntax/i

/** The faults of an error response. */
function wrongRefusal({ internals }: World, { status, text, body }: Answer, requestText: string): string | null {
  const { error, code, details: _, ...more } = body as Record<string, unknown>
  if (typeof error !== 'string' || Object.keys(more).length > 0) return `has another shape: ${text.slice(0, 200)}`
  if (!codesOf(status).includes(String(code))) return `${status} ${code} is not documented`
  if (/The database refused a value|refused_by_database/.test(text))
    return 'the database refused a value that validation accepted'
  const inside = INTERNAL.exec(text)?.[0] ?? internals.find((name) => text.includes(name))
  return inside && !requestText.includes(inside) ? `tells of the inside: ${inside}` : null
}

/** Values of a request may be repeated, at once or later, since they may be stored. */
function revealsOther(
  { other: { secrets, mark }, said: ids }: World,
  text: string,
  requestText: string,
): string | null {
  if (text.includes(mark) && !requestText.includes(mark)) return 'shows a text of the other account'
  for (const [id] of text.matchAll(UUID))
    if (secrets.has(id) && !ids.has(id) && !requestText.includes(id)) return 'shows an id of the other account'
  return null
}

/** A case in readable form, for debugging. */
export function shown(world: World, request: FuzzRequest): string {
  const { url, raw } = builtRequest(world, request)
  const body = raw === undefined ? '' : ` ${String(raw).slice(0, 1500)}`
  return `${request.as}: ${request.method} ${url.slice(0, 1500)} ${JSON.stringify(request.headers)}${body} (${request.mutations.join(', ') || 'valid'})`
}
