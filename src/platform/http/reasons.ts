import { ApiError, type ErrorCode } from './errors.ts'

/** Why an attribute is refused; `code` if it is not `validation_failed`. */
export type Reason = readonly [attribute: string, reason: string, code?: ErrorCode]

/**
 * Collects why the attributes of a write are refused, so that all of them are answered at once: shapes, values,
 * references and rules.
 */
export class Reasons {
  readonly #all: Reason[] = []

  add(...reasons: readonly Reason[]): void {
    this.#all.push(...reasons)
  }

  /** Whether one of these attributes, or a part of one, is refused already: then nothing follows from its value. */
  has(...attributes: readonly string[]): boolean {
    return this.#all.some(([at]) =>
      attributes.some((name) => at === name || (/^[[.]/.test(at.slice(name.length)) && at.startsWith(name))),
    )
  }

  get isEmpty(): boolean {
    return this.#all.length === 0
  }

  /** Throws where there are reasons. */
  refuse(): void {
    if (!this.isEmpty) throw this.#refusal()
  }

  /** A refusal with these reasons besides its own; an error that is not about attributes is returned unchanged. */
  joinedTo(error: unknown): unknown {
    if (!(error instanceof ApiError) || error.status !== 422 || !error.details) return error
    const all = new Reasons()
    for (const [at, reasons] of Object.entries(error.details)) all.add(...reasons.map((reason): Reason => [at, reason]))
    all.add(...this.#all)
    return all.#refusal()
  }

  /** With the code that all reasons share, else with `validation_failed`. */
  #refusal(): ApiError {
    const [code = 'validation_failed', ...others] = new Set(this.#all.map(([, , own = 'validation_failed']) => own))
    const byAttribute = Map.groupBy(this.#all, ([at]) => at)
    const details = Object.fromEntries(
      [...byAttribute].map(([at, reasons]) => [at, [...new Set(reasons.map(([, reason]) => reason))]]),
    )
    return others.length === 0 && code !== 'validation_failed'
      ? new ApiError(code, [...new Set(this.#all.map(([, reason]) => reason))].join(' '), { details })
      : new ApiError('validation_failed', 'The request body is invalid. See details for each attribute.', { details })
  }
}
