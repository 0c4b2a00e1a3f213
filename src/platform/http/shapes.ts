import Type, { type TSchema } from 'typebox'

/** Shapes of responses in the document. */
export const maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
export const Text = (maxLength: number) => Type.String({ maxLength })
export const Texts = (maxItems: number, maxLength: number) => Type.Array(Text(maxLength), { maxItems })
export const Uuid = Type.String({ format: 'uuid', maxLength: 36 })
export const Instant = Type.String({ format: 'date-time', maxLength: 40 })
export const Day = Type.String({ format: 'date', maxLength: 10 })
export const Money = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', maxLength: 25 })
export const enumOf = <const V extends string>(values: readonly V[]) =>
  Type.Unsafe<V>({ type: 'string', enum: [...values] })
