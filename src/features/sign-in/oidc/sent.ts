import Type from 'typebox'
import { ApiError } from '../../../platform/http/errors.ts'
import type { RouteAnswer } from '../../../platform/http/route.ts'
import { Uuid } from '../../../platform/http/shapes.ts'
import { NO_BODY } from '../../../platform/json-text.ts'
import { IssuerFailure } from './issuer.ts'
import { type ProviderTools, preparePending } from './pending.ts'
import { type ProblemName, SignInProblem } from './problem.ts'
import type { ProviderInUse } from './providers.store.ts'
import { CONSOLE, returnPath } from './return-path.ts'

export const ReturnTo = Type.Optional(
  Type.String({ maxLength: 1000, description: 'Where the console goes on: a path below `/console/`.' }),
)
/** The answer of a write after which the page itself goes to the provider. */
export const SENT = {
  status: 200,
  body: Type.Object({
    data: Type.Object({
      url: Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()], {
        description: 'Where the browser is to go: to the provider, which sends it back. A replay answers null.',
      }),
    }),
  }),
  description: 'The address of the provider.',
} as const
export const PROVIDER = { provider_id: Uuid, return_to: ReturnTo }

/** The path to go on at; refused where it leads out of the console. */
export function ownPath(text: string | undefined): string {
  const path = text === undefined ? CONSOLE : returnPath(text)
  if (path !== null) return path
  throw new ApiError('invalid_parameter', 'The return path leads out of the console. See details.', {
    details: { return_to: [`Send a path that begins with ${CONSOLE}.`] },
  })
}

/** The sign-in page, which says what is wrong and offers the providers of an account that is known. */
export function signInPath(problem: ProblemName, account?: number, reason?: string): string {
  const fragment = new URLSearchParams({ problem, ...(reason !== undefined && { reason }) })
  return `${CONSOLE}sign-in${account === undefined ? '' : `?account=${account}`}#${fragment}`
}
export const sentTo = (location: string, cookies: readonly string[] = []): RouteAnswer => ({
  body: NO_BODY,
  location,
  cookies,
})
/** Why somebody is not signed in, as an answer; any other error goes on. */
export function problemPath(error: unknown, account: number, refused: boolean): string {
  if (error instanceof SignInProblem) return signInPath(error.problem, account)
  if (error instanceof IssuerFailure) return signInPath(refused ? 'refused' : error.kind, account, error.reason)
  throw error
}

/** The same as `preparePending`, for a page that waits for the answer. */
export async function prepared(own: ProviderTools, publicUrl: string, to: ProviderInUse) {
  try {
    return await preparePending(own, publicUrl, to)
  } catch (error) {
    if (!(error instanceof IssuerFailure)) throw error
    throw new ApiError('unavailable', `The provider cannot be used now (${error.reason}). Try again later.`)
  }
}
