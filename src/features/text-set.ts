import { type Kind, Refusal, refuse } from '../catalogue/kind.ts'
import { string } from '../catalogue/kinds.ts'
import { Texts } from './shapes.ts'

/** Several short texts, each once, in the order in which they were sent. */
export const textSet = (maximumItems: number, maximumLength: number): Kind<string[]> => ({
  type: 'list',
  schema: Texts(maximumItems, maximumLength),
  pg: 'text[]',
  read(cell, context) {
    if (!Array.isArray(cell) || cell.length > maximumItems)
      return refuse('invalid_type', `has to be a list of at most ${maximumItems} texts`)
    const read = cell.map((text: unknown) => string(maximumLength).read(text, context))
    const wrong = read.find((text) => text instanceof Refusal || text === '')
    if (wrong !== undefined) return wrong instanceof Refusal ? wrong : refuse('invalid_string', 'has an empty text')
    return [...new Set(read as string[])]
  },
  print: (column) => column,
  example: ['honeymoon'],
  bad: ['x', [7], ['']],
})

const TAGS = 100
const TAG_LENGTH = 60
/** The whole set of a record's tags. */
export const tags = textSet(TAGS, TAG_LENGTH)
