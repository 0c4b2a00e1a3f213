import type { Command } from 'commander'
import { addDay } from '../../features/trips/commands/add-day.ts'
import { removeDay } from '../../features/trips/commands/remove-day.ts'
import { changeDay, DAY_FIELDS } from '../../features/trips/commands/update-day.ts'
import { fieldsOf, type GivenFields, takesFields } from '../fields.ts'
import { numberFrom, onTrip, TRIP } from './on-trip.ts'

const FIELDS = DAY_FIELDS.join(', ')
const DAY = ['<day>', 'its number, from 1'] as const
const dayNumber = (text = ''): number => numberFrom(1, '<day>')(text)
type ChangedDay = { readonly day_number: number }

export function registerDays(trip: Command): void {
  onTrip(
    takesFields(
      trip
        .command('add-day')
        .description(`insert a day; later days move by one: ${FIELDS}`)
        .argument(...TRIP)
        .option(
          '--after <day>',
          'number of the day to insert after, 0 for the first position; the last day if omitted',
          numberFrom(0, '--after'),
        ),
    ),
    async (
      tx,
      id,
      { options, desk }: { options: GivenFields & { after?: number }; desk: Parameters<typeof addDay>[1] },
    ) => addDay(tx, desk, id, options.after ?? null, await fieldsOf(options)),
    ({ day_number }: ChangedDay) => `Added day ${day_number}.`,
    'trip.day_added',
  )
  onTrip(
    takesFields(
      trip
        .command('update-day')
        .description(`update a day: ${FIELDS}`)
        .argument(...TRIP)
        .argument(...DAY),
    ),
    async (
      tx,
      id,
      { options, desk, named }: { options: GivenFields; desk: Parameters<typeof addDay>[1]; named: string[] },
    ) => {
      const day = dayNumber(named[0])
      return { id: await changeDay(tx, desk, id, day, await fieldsOf(options)), day_number: day }
    },
    ({ day_number }: ChangedDay) => `Updated day ${day_number}.`,
    'trip.day_updated',
  )
  onTrip(
    trip
      .command('remove-day')
      .description('remove a day without segments; later days move by one')
      .argument(...TRIP)
      .argument(...DAY),
    async (tx, id, { named }) => {
      const day = dayNumber(named[0])
      return { id: await removeDay(tx, id, day), day_number: day }
    },
    ({ day_number }: ChangedDay) => `Removed day ${day_number}.`,
    'trip.day_removed',
  )
}
