import type { Reason } from './reasons.ts'
import type { Takes } from './route.ts'
import { unknownNames } from './unknown-names.ts'

type Shape = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly anyOf?: readonly Shape[]
}

/**
 * Makes the search for attributes of a body that its declaration has not. What a record's attributes may be called, the
 * command says that reads them.
 */
export function unknownAttributes({ body, attributes }: Takes): (given: Record<string, unknown>) => readonly Reason[] {
  const shape = (body ?? { type: 'object', properties: {} }) as Shape
  // One that stands beside the record's name may be one of the record's.
  const within = attributes ? Object.keys(attributes.fields).map((name) => `${attributes.name}.${name}`) : []
  return (given) => strangersIn(shape, given, '', within)
}

function strangersIn(shape: Shape, given: unknown, at: string, within: readonly string[] = []): readonly Reason[] {
  const properties = objectIn(shape)?.properties
  if (!properties || typeof given !== 'object' || given === null || Array.isArray(given)) return []
  const names = Object.keys(given)
  const unknown = names.filter((name) => !Object.hasOwn(properties, name)).map((name) => at + name)
  const known = [...Object.keys(properties).map((name) => at + name), ...within]
  const inside = names.flatMap((name) => {
    const part = Object.hasOwn(properties, name) ? properties[name] : undefined
    return part ? strangersIn(part, (given as Record<string, unknown>)[name], `${at}${name}.`) : []
  })
  return unknown.length + inside.length === 0 ? [] : [...unknownNames('attribute', unknown, known), ...inside]
}

/** The object that a value may be which may be something else as well, such as null. */
const objectIn = (shape: Shape): Shape | undefined =>
  shape.properties ? shape : shape.anyOf?.find(({ properties }) => properties)
