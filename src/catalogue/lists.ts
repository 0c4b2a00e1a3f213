import Type, { type TSchema } from 'typebox'
import { type Kind, Refusal, refuse } from './kind.ts'
import { string } from './kinds.ts'
import { type Fields, MAXIMUM_ITEMS, type Values } from './read-cells.ts'

/** A list of objects in one jsonb column. */
export const list = (items: Fields): Kind<Values[]> => ({
  type: 'list',
  schema: Type.Array(itemSchema(items), { maxItems: MAXIMUM_ITEMS }),
  pg: 'jsonb',
  items,
  read: () => [], // readCells reads the items, whose issues need their places
  print: (column) => column,
  example: [exampleOf(items)],
  bad: ['none', 7, {}, [7], [null]],
})

/** A list of short texts, read one by one; used within items of another list. */
export const textList = (kind: Kind<string>): Kind<string[]> => ({
  type: 'list',
  schema: Type.Array(kind.schema, { maxItems: MAXIMUM_ITEMS }),
  pg: 'jsonb',
  read(cell, context) {
    if (!Array.isArray(cell)) return refuse('invalid_type', 'Send a list.')
    if (cell.length > MAXIMUM_ITEMS) return refuse('too_long', `Send at most ${MAXIMUM_ITEMS} items.`)
    const read = cell.map((item: unknown) => kind.read(item, context))
    const issues = read.flatMap((value, at) =>
      value instanceof Refusal ? value.issues.map((issue) => ({ ...issue, at: `[${at}]${issue.at}` })) : [],
    )
    return issues.length > 0 ? new Refusal(issues) : (read as string[])
  },
  print: (column) => column,
  example: [kind.example],
  bad: ['none', 7, {}, [7], [null], ...kind.bad.map((cell) => [cell])],
})

/** Several short texts, each once, in the order in which they were sent. */
export const textSet = (maximumItems: number, maximumLength: number): Kind<string[]> => {
  const kind = string(maximumLength)
  return {
    type: 'list',
    schema: Type.Array(kind.schema, { maxItems: maximumItems }),
    pg: 'text[]',
    read(cell, context) {
      if (!Array.isArray(cell) || cell.length > maximumItems)
        return refuse('invalid_type', `Send a list of at most ${maximumItems} strings.`)
      const read = cell.map((text: unknown) => kind.read(text, context))
      const wrong = read.find((text) => text instanceof Refusal || text === '')
      if (wrong !== undefined)
        return wrong instanceof Refusal ? wrong : refuse('invalid_string', 'Send strings that are not empty.')
      return [...new Set(read as string[])]
    },
    print: (column) => column,
    example: ['honeymoon'],
    bad: ['x', [7], ['']],
  }
}

const LIST_SEPARATOR = ', '
/** Several short texts in one, with commas between them. */
export const commaList = (maximum: number): Kind<string> => {
  const kind = string(maximum)
  return {
    type: 'string',
    schema: kind.schema,
    pg: 'text[]',
    maxLength: maximum,
    read(cell, context) {
      const text = kind.read(cell, context)
      if (text instanceof Refusal) return text
      const parts = text.split(',').map((part) => part.trim())
      return [...new Set(parts)].filter((part) => part !== '').join(LIST_SEPARATOR)
    },
    travels: { as: 'text', sql: (value) => `string_to_array(${value}, '${LIST_SEPARATOR}')` },
    print: (column) => `array_to_string(${column}, '${LIST_SEPARATOR}')`,
    example: 'Roma, Paris',
    bad: [7, ['Roma'], {}, 'x'.repeat(maximum + 1)],
  }
}

const itemSchema = (items: Fields): TSchema =>
  Type.Object(
    Object.fromEntries(Object.entries(items).map(([name, { schema }]) => [name, Type.Union([schema, Type.Null()])])),
  )

const exampleOf = (items: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(items).map(([name, { example }]) => [name, example]))
