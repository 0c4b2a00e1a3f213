import { type Field, type ReadContext, Refusal } from '../../../catalogue/kind.ts'
import { type Fields, MAXIMUM_ITEMS, missing, type Values } from '../../../catalogue/read-cells.ts'
import { tickets } from '../verticals/tickets/tickets.entity.ts'

/** The path of an omitted value, e.g. `passengers[0].email`, and the reason. */
export type OmittedValue = { readonly at: string; readonly message: string }

/**
 * The row of a sale, reduced to what a record can hold: texts are truncated, optional lists shortened, and values that
 * an import would refuse are left out, with the items that need them.
 */
export function fitTicketSale<R extends Values>(
  row: R,
  context: ReadContext,
): { readonly row: R; readonly leftOut: readonly OmittedValue[] } {
  const leftOut: OmittedValue[] = []
  return { row: fitted(tickets.entity.fields, row, context, '', leftOut) as R, leftOut }
}

function fitted(fields: Fields, cells: Values, context: ReadContext, place: string, leftOut: OmittedValue[]): Values {
  const fit: Record<string, unknown> = { ...cells }
  for (const name in fit) {
    const [field, cell] = [fields[name], fit[name]]
    if (!field || cell === null || cell === undefined) continue
    const at = `${place}${name}`
    fit[name] = Array.isArray(cell)
      ? fittedList(field, cell, context, at, leftOut)
      : fittedCell(field, cell, context, at, leftOut)
  }
  return fit
}

function fittedCell(field: Field, cell: unknown, context: ReadContext, at: string, leftOut: OmittedValue[]): unknown {
  const isText = field.type === 'string' && !field.isWhole && typeof cell === 'string'
  const short = isText ? cell.slice(0, field.maxLength).toWellFormed() : cell
  const read = field.read(short, context)
  if (!(read instanceof Refusal)) return short
  leftOut.push({ at, message: read.issues.map(({ message }) => message).join(' ') })
  return null
}

function fittedList(
  field: Field,
  cells: unknown[],
  context: ReadContext,
  at: string,
  leftOut: OmittedValue[],
): unknown {
  const { items } = field
  const kept = field.required ? cells : cells.slice(0, MAXIMUM_ITEMS)
  if (kept.length < cells.length) leftOut.push({ at, message: `A list has at most ${MAXIMUM_ITEMS} items.` })
  const fit = kept.flatMap((cell, nth): unknown[] => {
    const place = `${at}[${nth}]`
    if (!items)
      return [fittedCell({ ...field, read: (one) => field.read([one], context) }, cell, context, place, leftOut)]
    const item = fitted(items, cell as Values, context, `${place}.`, leftOut)
    const lacking = missing(items, item, [])
    if (lacking.length === 0) return [item]
    for (const issue of lacking)
      if (!leftOut.some((known) => known.at === `${place}.${issue.at}`))
        leftOut.push({ at: `${place}.${issue.at}`, message: issue.message })
    return []
  })
  const filled = fit.filter((item) => item !== null)
  return filled.length > 0 ? filled : null
}
