import type { Field } from '../../src/catalogue/kind.ts'
import type { Fields } from '../../src/catalogue/read-cells.ts'
import { routes } from './routes.ts'

/** A route that writes the attributes of a record, under the name `as`. */
export type Write = { readonly path: string; readonly as: string; readonly fields: Fields }

const writesBy = (wanted: string): Write[] =>
  routes.flatMap(({ method, path, takes: { attributes } }) =>
    method === wanted && attributes ? [{ path, as: attributes.name, fields: attributes.fields as Fields }] : [],
  )
/** Those that make a record, and those that change one. */
export const creates: readonly Write[] = writesBy('POST')
export const changes: readonly Write[] = writesBy('PATCH')

export const isRoute = (method: string, path: string): boolean =>
  routes.some((route) => route.method === method && route.path === path)

/** The required attributes of a record. Its texts differ from the examples of their kinds. */
export const least = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { required, type, example }]: [string, Field]) =>
      required ? [[name, type === 'string' ? 'X' : example]] : [],
    ),
  )
