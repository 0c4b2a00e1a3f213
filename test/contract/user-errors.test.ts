import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from '@tsd/typescript'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../src/cli/failure.ts'
import { FIND_RECORD, HINTS } from '../../src/cli/hints.ts'
import { loadProgram } from '../../src/cli/program.ts'
import { answerError } from '../../src/platform/http/answer-error.ts'
import { API_CODES } from '../../src/platform/http/api-error-of.ts'
import { ERROR_STATUSES } from '../../src/platform/http/errors.ts'
import { openLog } from '../../src/platform/open-log.ts'
import { USER_ERRORS, UserError, type UserErrorCode } from '../../src/platform/user-error.ts'

const ROOT = join(import.meta.dirname, '../..')
const REMOTE = 'what another server answered: its caller catches it, and reports or retries the call'
const ABORTED = 'the reason of an abort, which nobody shows'
/** Where errors without a code are made, how many, and why no user or operator made the mistake. */
const INVARIANTS: readonly (readonly [where: string, count: number, reason: string])[] = [
  ['src/platform/net/ask.ts', 2, REMOTE],
  ['src/platform/net/post.ts', 1, REMOTE],
  ['src/platform/net/download.ts', 3, REMOTE],
  ['src/platform/net/checked-fetch.ts', 2, REMOTE],
  ['src/platform/files/bucket-store.ts', 2, REMOTE],
  ['src/features/communications/mail/open-mailbox.ts', 2, REMOTE],
  ['src/features/day-facts/open-meteo.ts', 2, REMOTE],
  ['src/platform/jobs/workers.ts', 1, ABORTED],
  ['src/features/communications/sending/keep-send-lease.ts', 1, ABORTED],
  ['src/platform/metrics/instruments.ts', 1, 'cannot happen: metrics are constants of the program'],
  ['src/platform/files/spool.ts', 1, 'cannot happen: no other process has the nameless file'],
  ['src/platform/db/session.ts', 1, 'cannot happen: a failed statement has thrown before its commit'],
  ['src/platform/db/statement.ts', 2, 'a defect: parameters of a statement do not match its text'],
  ['src/platform/db/account-tx.ts', 1, 'a defect: a transaction was used after its end'],
  ['src/platform/backup/archive.ts', 1, 'a defect: the foot of a part was read before its bytes'],
  ['src/features/bookings/commands/change-ticket-sale.ts', 1, 'a defect: validation let a value pass'],
  ['src/features/reports/run-report.ts', 1, 'cannot happen: the statement aggregates, so it returns a row'],
]
/** Kinds of errors that a caller distinguishes; all others are `UserError` or extend it. */
const OWN_KINDS = [
  ...['ConnectionLost', 'IssuerFailure', 'MailboxRefusal', 'NoValue', 'NotFetched', 'Refusal', 'StorageAway'],
  'UserError',
]
const SHARED = /^src\/(catalogue|features|geography|imports|platform|records|reference)\//

type Found = { readonly file: string; readonly text: string }
const plainErrors: string[] = []
const texts: Found[] = []
const missingKinds = new Set<string>()
const kinds: string[] = []
for (const file of globSync('src/**/*.ts', { cwd: ROOT })) {
  if (file.endsWith('.test.ts')) continue
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && /^(Aggregate|Type|Range)?Error$/.test(node.expression.getText()))
      plainErrors.push(file)
    const [kind] =
      ts.isNewExpression(node) && node.expression.getText() === 'RecordNotFound' ? (node.arguments ?? []) : []
    if (kind) missingKinds.add(ts.isStringLiteral(kind) ? kind.text : `an expression in ${file}`)
    if (ts.isHeritageClause(node) && /^extends (Aggregate|Type|Range)?Error$/.test(node.getText()))
      kinds.push((node.parent as ts.ClassDeclaration).name?.text ?? file)
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) texts.push({ file, text: node.text })
    ts.forEachChild(node, visit)
  }
  visit(source)
}

describe('a mistake of a user or an operator', () => {
  it('is a UserError: what else is thrown is a defect or a broken environment, for a stated reason', () => {
    const found = INVARIANTS.map(([where]) => [where, plainErrors.filter((file) => file.startsWith(where)).length])
    expect(found).toEqual(INVARIANTS.map(([where, count]) => [where, count]))
    expect(plainErrors.filter((file) => !INVARIANTS.some(([where]) => file.startsWith(where)))).toEqual([])
    expect(kinds.sort()).toEqual(OWN_KINDS)
  })
  it('is reported without a command or an option of the command line by code that all surfaces share', async () => {
    const options = (await leaves()).flatMap(({ options }) => options.flatMap(({ long }) => long?.slice(2) ?? []))
    const hint = new RegExp(
      `npx backdesk|\\b(Run|See): |(?<![\\w(-])--(${[...new Set(options)].join('|')})(?![\\w:=-])`,
    )
    expect(hint.test('Name it: --map "COLUMN=number".')).toBe(true)
    expect(texts.filter(({ file, text }) => SHARED.test(file) && hint.test(text))).toEqual([])
  })
})

const leaves = async () => {
  const all = (command: Awaited<ReturnType<typeof loadProgram>>): (typeof command)[] =>
    command.commands.length > 0 ? command.commands.flatMap((each) => all(each)) : [command]
  return all(await loadProgram())
}

describe.each(USER_ERRORS)('the code %s', (code: UserErrorCode) => {
  const message = 'A message with /internal/path.'
  it('has a status of the API, and nothing of the operator in its answer', async () => {
    const server = fastify()
    server.setErrorHandler((error, request, reply) => answerError(openLog('silent'), error, request, reply))
    server.get('/', () => {
      throw new UserError(code, message)
    })
    const answer = await server.inject('/')
    const api = API_CODES[code]
    expect([answer.statusCode, answer.json().code]).toEqual([ERROR_STATUSES[api], api])
    expect(api).not.toBe('internal_error')
    expect(answer.json().error === message).toBe(api !== 'unavailable')
    expect(answer.json().details).toEqual(api === 'validation_failed' ? { base: [message] } : undefined)
  })
  it('has a hint of the command line, whose commands and options exist', async () => {
    const { error, hint = '' } = failureOf(new UserError(code, message), 'npx backdesk key create')
    expect([error, hint]).toEqual([message, expect.stringMatching(/\.$/)])
    await expectCommands(HINTS[code])
  })
})

it('every kind of record that is not found has a hint where to find it', async () => {
  expect([...missingKinds].sort()).toEqual(Object.keys(FIND_RECORD).sort())
  for (const hint of Object.values(FIND_RECORD)) await expectCommands(hint)
})

/** The commands and options that a hint names exist. */
async function expectCommands(hint: string): Promise<void> {
  const program = await loadProgram()
  for (const [, call = ''] of hint.matchAll(/`npx backdesk ([^`]+)`/g)) {
    const words = call.split(' ')
    let command = program
    for (const word of words) command = command.commands.find((each) => each.name() === word) ?? command
    const known = [...command.options.map(({ long }) => long), '--help']
    expect(words[0] === 'THIS' || words[0] === '--version' || command !== program).toBe(true)
    expect(words.filter((word) => word.startsWith('--') && !known.includes(word))).toEqual([])
  }
}

it('an error without a code reveals nothing to a client', async () => {
  const server = fastify()
  server.setErrorHandler((error, request, reply) => answerError(openLog('silent'), error, request, reply))
  server.get('/', () => {
    throw new Error('secret in /internal/path')
  })
  const answer = await server.inject('/')
  expect([answer.statusCode, answer.json().code]).toEqual([500, 'internal_error'])
  expect(answer.body).not.toContain('internal/path')
})
