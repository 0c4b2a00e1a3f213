import Type, { type TSchema } from 'typebox'

/** How many days a dashboard looks back or ahead, for the document and for reading; it is never refused. */
type WindowDays = { readonly parameter: TSchema; read(given: unknown): number }

/** Any value of a query parameter: a number as documented, or anything else. */
const lenient = (days: object, description: string): TSchema =>
  Type.Optional(Type.Union([Type.Unsafe({ type: 'integer', ...days }), Type.Unknown()], { description }))

const PERFORMANCE_DAYS = [30, 60, 90, 180, 365]
const PERFORMANCE_DEFAULT = 90
export const performanceDays: WindowDays = {
  parameter: lenient(
    { enum: PERFORMANCE_DAYS, minimum: 30, maximum: 365, default: PERFORMANCE_DEFAULT },
    `One of ${PERFORMANCE_DAYS.join(', ')}; any other value is read as ${PERFORMANCE_DEFAULT}.`,
  ),
  read: (given) => PERFORMANCE_DAYS.find((days) => String(days) === given) ?? PERFORMANCE_DEFAULT,
}

const RETENTION_MINIMUM = 7
const RETENTION_MAXIMUM = 365
const RETENTION_DEFAULT = 60
const INTEGER = /^-?\d+$/
export const retentionDays: WindowDays = {
  parameter: lenient(
    { minimum: RETENTION_MINIMUM, maximum: RETENTION_MAXIMUM, default: RETENTION_DEFAULT },
    `Clamped to ${RETENTION_MINIMUM}–${RETENTION_MAXIMUM}; any value other than an integer is read as ${RETENTION_DEFAULT}.`,
  ),
  read: (given) =>
    typeof given === 'string' && INTEGER.test(given)
      ? Math.min(RETENTION_MAXIMUM, Math.max(RETENTION_MINIMUM, Number(given)))
      : RETENTION_DEFAULT,
}
