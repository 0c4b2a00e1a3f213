import { ApiError } from '../../../platform/http/errors.ts'

/** Why a browser that comes back from a provider is not signed in; the sign-in page has a text for each. */
export const SIGN_IN_PROBLEMS = [
  'expired',
  'refused',
  'unreachable',
  'invalid',
  'unknown_provider',
  'not_linked',
  'linked_elsewhere',
  'link_used',
  'signed_out',
] as const
export type ProblemName = (typeof SIGN_IN_PROBLEMS)[number]

export class SignInProblem extends ApiError {
  readonly problem: ProblemName
  constructor(problem: ProblemName) {
    super('unauthorized', `Signing in by a provider failed: ${problem}.`)
    this.problem = problem
  }
}
