import { money } from '../../../catalogue/amounts.ts'
import { count } from '../../../catalogue/count.ts'
import type { Field } from '../../../catalogue/kind.ts'
import { currency, string } from '../../../catalogue/kinds.ts'
import type { Values } from '../../../catalogue/read-cells.ts'
import { type OwnLine, PLAIN_LINE } from '../pricing.ts'

const price = { sees: 'money' } as const

/** A room of a stay or a tour. */
export const roomItems = {
  name: string(200),
  room_type: string(100),
  capacity: count,
  occupancy: count,
  nightly_rate: { ...money(), ...price, note: 'Adds a room_rate sell line, multiplied by the number of nights.' },
  single_supplement_amount: {
    ...money('single_supplement_currency'),
    ...price,
    note: 'Per night; added if occupancy is 1.',
  },
  single_supplement_currency: { ...currency },
} satisfies Record<string, Field>

/** A room's rate and single supplement, for each night. */
export function roomLines(rooms: unknown, nights: number): OwnLine[] {
  return ((rooms ?? []) as Values[]).flatMap((room) => {
    const line = {
      ...PLAIN_LINE,
      origin: 'room',
      quantity: nights,
      label: (room.name ?? null) as string | null,
    } as const
    const rate = { ...line, kind: 'room_rate', amount: room.nightly_rate as string }
    const supplement = {
      ...line,
      kind: 'single_supplement',
      amount: room.single_supplement_amount as string,
      currency: room.single_supplement_currency as string | null,
    }
    return [
      ...(room.nightly_rate === null ? [] : [rate]),
      ...(room.single_supplement_amount === null || room.occupancy !== 1 ? [] : [supplement]),
    ]
  })
}
