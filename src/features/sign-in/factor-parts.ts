import Type from 'typebox'
import { ApiError } from '../../platform/http/errors.ts'
import type { Input } from '../../platform/http/route.ts'
import { MOST_SESSIONS } from '../../platform/http/session-cookie.ts'
import { enumOf, Instant, Text } from '../../platform/http/shapes.ts'
import { FACTOR_KINDS, kindsOf } from './factor-kinds.ts'
import type { Factors } from './factors.store.ts'

export const TotpCode = Type.String({
  minLength: 6,
  maxLength: 20,
  description: 'The code that the authenticator app shows.',
})
export const RecoveryCodes = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 10,
  description: 'Shown once. Each signs in once in place of a second factor.',
})
/** What a browser answers, as `toJSON()` of its credential writes it. */
export const PasskeyAnswered = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  description: 'What the browser answers to the options, as `toJSON()` of its credential writes it.',
})
/** The attributes by which a person shows a second factor: one of them. */
export const givenFactor = {
  code: Type.Optional(TotpCode),
  passkey: Type.Optional(PasskeyAnswered),
  recovery_code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'One of the recovery codes.' }),
  ),
}

/** A session belongs to a seat, or there is none. */
export const seatOf = ({ actor }: Pick<Input, 'actor'>): string => String(actor.seat)

/** Refuses a body without exactly one of these attributes. */
export function demandOne(body: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  if (names.filter((name) => body[name] !== undefined).length === 1) return
  const reason = `Send one of ${names.join(', ')}.`
  throw new ApiError('validation_failed', `The request body is invalid. ${reason}`, {
    details: Object.fromEntries(names.map((name) => [name, [reason]])),
  })
}

export const wrongFactor = () =>
  new ApiError('validation_failed', 'The second factor is wrong, or was used before. Try the next code.', {
    details: Object.fromEntries(FACTOR_KINDS.map((name) => [name, ['It is wrong, or was used before.']])),
  })

export const needsFactor = (factors: Factors) =>
  new ApiError('validation_failed', 'Your seat has a second factor. Show it in place of the password.', {
    details: { password: [`Send one of ${kindsOf(factors).join(', ')} instead.`] },
  })

const AccountNumber = Type.Integer({ minimum: 10_000_000, maximum: 39_999_999 })
const accounts = {
  data: Type.Array(Type.Object({ account: AccountNumber, name: Text(1000) }), {
    maxItems: MOST_SESSIONS,
    description: 'Accounts that this browser is signed in to; the first answers by default.',
  }),
}
/** The accounts of a browser. */
export const ACCOUNTS = {
  status: 200,
  body: Type.Object(accounts),
  description: 'The accounts that the browser is signed in to.',
} as const
/** The accounts of a browser after somebody signed in. */
export const SIGNED_IN = {
  status: 200,
  body: Type.Object({
    ...accounts,
    second_factor: Type.Array(
      Type.Object({
        account: AccountNumber,
        name: Text(1000),
        token: Type.String({
          maxLength: 200,
          description: 'For `POST /sign_in/second_factor`, once, within 5 minutes.',
        }),
        kinds: Type.Array(enumOf(FACTOR_KINDS), { maxItems: FACTOR_KINDS.length }),
        expires_at: Instant,
      }),
      { maxItems: MOST_SESSIONS, description: 'Accounts that wait for a second factor.' },
    ),
  }),
  description: 'The accounts that the browser is signed in to, and those that wait for a second factor.',
} as const
