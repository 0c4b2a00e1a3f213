import Type from 'typebox'
import { type Statement, variantOf } from '../../src/platform/db/statement.ts'

/** A statement of a test, whose declaration is its type. */
export function undeclared<I extends object, O>(text: string): Statement<I, O> {
  const names = [...text.matchAll(/\$([a-zA-Z_]+)/g)].map(([, name]) => name as string)
  return variantOf(Object.fromEntries(names.map((name) => [name, Type.Any()])), {}, text) as unknown as Statement<I, O>
}
