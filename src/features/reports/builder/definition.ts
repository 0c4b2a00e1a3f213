import type { Entity } from '../../../catalogue/entity.ts'
import { unknownNames } from '../../../platform/http/unknown-names.ts'
import { type FilterOperator, InvalidValue, OPERATORS, operatorsOf, readValue, type Value } from './operators.ts'
import { type PublishedField, type PublishedFields, publishedFields } from './published-fields.ts'

/** A report of an agency's own: some fields of one entity's records. */
export type Definition = {
  readonly entity: string
  readonly columns: readonly string[]
  readonly filters: readonly { readonly field: string; readonly operator: FilterOperator; readonly value: Value }[]
  readonly group_by: string | null
  readonly sort: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
}
/** Where in a definition something is wrong, and what. */
export type DefinitionReason = readonly [at: string, reason: string]

const COLUMNS = 40
const FILTERS = 20
const SORTED_BY = 5
/** What groups are made of; amounts and times would make a group of each row. */
const GROUPED = new Set<PublishedField['compared']>(['text', 'choice', 'yes_no', 'id', 'day', 'whole'])
const NAMED = 40

/**
 * Reads a definition against the published fields of its entity: only closed lists become SQL, and everything else from
 * a client is a bound value. Returns all errors.
 */
export function readDefinition(given: unknown, entities: readonly Entity[]): Definition | readonly DefinitionReason[] {
  if (!isObject(given)) return [['', 'Send an object of entity, columns, filters, group_by and sort.']]
  const entity = entities.find(({ key }) => key === given.entity)
  if (!entity) return [['entity', `Send one of ${entities.map(({ key }) => key).join(', ')}.`]]
  const reading = new Reading(entity.key, publishedFields(entity))
  reading.refuseUnknown('', given, ['entity', 'columns', 'filters', 'group_by', 'sort'])
  const columns = reading.columns(given.columns)
  const definition: Definition = {
    entity: entity.key,
    columns,
    filters: reading.filters(given.filters),
    group_by: reading.groupBy(given.group_by),
    sort: reading.sort(given.sort, columns),
  }
  return reading.reasons.length > 0 ? reading.reasons : definition
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the parts of a definition, and collects their errors. */
class Reading {
  readonly reasons: DefinitionReason[] = []
  readonly #entity: string
  readonly #fields: PublishedFields
  constructor(entity: string, fields: PublishedFields) {
    this.#entity = entity
    this.#fields = fields
  }

  refuseUnknown(at: string, given: unknown, known: readonly string[]): void {
    const unknown = isObject(given) ? Object.keys(given).filter((name) => !known.includes(name)) : []
    for (const [name, reason] of unknownNames('attribute', unknown, known)) this.#refuse(at + name, reason)
  }

  columns(given: unknown): string[] {
    const names = this.#list('columns', given, COLUMNS)
    if (names.length === 0) this.#refuse('columns', 'This field is required. Name the fields to show.')
    return [...new Set(names.flatMap((name, at) => this.#known(`columns[${at}]`, name)?.name ?? []))]
  }

  filters(given: unknown): Definition['filters'] {
    const read = this.#list('filters', given, FILTERS).flatMap((filter, at) => this.#filter(`filters[${at}]`, filter))
    const names = read.map(({ field, operator }) => `${field} ${operator}`)
    const twice = names.findIndex((name, at) => names.indexOf(name) !== at)
    if (twice >= 0) this.#refuse('filters', `Send ${names[twice]} once.`)
    return read
  }

  groupBy(given: unknown): string | null {
    if (given === undefined || given === null || given === '') return null
    const known = this.#known('group_by', given)
    if (!known) return null
    if (!GROUPED.has(known.field.compared))
      this.#refuse('group_by', `The field ${known.name} has too many values to group by.`)
    return known.name
  }

  sort(given: unknown, columns: readonly string[]): Definition['sort'] {
    return this.#list('sort', given, SORTED_BY).flatMap((one, at) => {
      const { field, direction = 'asc' } = isObject(one) ? one : { field: one }
      this.refuseUnknown(`sort[${at}].`, one, ['field', 'direction'])
      const known = this.#known(`sort[${at}].field`, field)
      if (!known) return []
      if (!columns.includes(known.name))
        this.#refuse(`sort[${at}].field`, `The field ${known.name} is not among the columns.`)
      if (direction === 'asc' || direction === 'desc') return [{ field: known.name, direction }]
      this.#refuse(`sort[${at}].direction`, 'Send asc or desc.')
      return []
    })
  }

  #filter(at: string, given: unknown): Definition['filters'] {
    const { field, operator, value } = isObject(given) ? given : {}
    this.refuseUnknown(`${at}.`, given, ['field', 'operator', 'value'])
    const known = this.#known(`${at}.field`, field)
    if (!known) return []
    const { compared, options = [] } = known.field
    const allowed = operatorsOf(compared)
    const own = OPERATORS.find((one) => one === operator)
    if (own === undefined || !allowed.includes(own)) {
      this.#refuse(`${at}.operator`, `Send one of ${allowed.join(', ')}.`)
      return []
    }
    const read = readValue(compared, own, value, options)
    if (!(read instanceof InvalidValue)) return [{ field: known.name, operator: own, value: read }]
    this.#refuse(`${at}.value`, read.reason)
    return []
  }

  #known(at: string, given: unknown): { name: string; field: PublishedField } | null {
    const name = typeof given === 'string' ? given : ''
    const field = this.#fields.get(name)
    if (field) return { name, field }
    const unknown = name === '' ? '' : `${this.#entity} has no field ${name.slice(0, NAMED)}. `
    this.#refuse(at, `${unknown}Send one of ${[...this.#fields.keys()].join(', ')}.`)
    return null
  }

  #list(at: string, given: unknown, maximum: number): readonly unknown[] {
    if (given === undefined || given === null) return []
    if (Array.isArray(given) && given.length <= maximum) return given
    this.#refuse(at, `Send a list of at most ${maximum} items.`)
    return []
  }

  #refuse(at: string, reason: string): void {
    this.reasons.push([at, reason])
  }
}
