import type { Command } from 'commander'
import { addSegment, SEGMENT_FIELDS } from '../../features/trips/commands/add-segment.ts'
import { removeSegment } from '../../features/trips/commands/remove-segment.ts'
import { changeSegment } from '../../features/trips/commands/update-segment.ts'
import { fieldsOf, type GivenFields, takesFields } from '../fields.ts'
import { idOf, numberFrom, onTrip, TRIP } from './on-trip.ts'

const FIELDS = SEGMENT_FIELDS.join(', ')
const SEGMENT = ['<segment>', 'its id'] as const
const DAY = ['--day <day>', 'number of the day, from 1', numberFrom(1, '--day')] as const
const PLACE = ['--place <n>', 'position within the day, from 1', numberFrom(1, '--place')] as const
type Desk = Parameters<typeof addSegment>[1]
type Made = { readonly id: string }

export function registerSegments(trip: Command): void {
  onTrip(
    takesFields(
      trip
        .command('add-segment')
        .description(`add a segment to a day: ${FIELDS}`)
        .argument(...TRIP)
        .requiredOption(...DAY)
        .option(...PLACE),
    ),
    async (tx, id, { options, desk }: { options: GivenFields & { day: number; place?: number }; desk: Desk }) => {
      const { day, place = null } = options
      return { id: await addSegment(tx, desk, id, { day, place }, await fieldsOf(options)) }
    },
    ({ id }: Made) => `Added ${id}.`,
    'trip.segment_added',
  )
  onTrip(
    takesFields(
      trip
        .command('update-segment')
        .description(`update or move a segment: ${FIELDS}`)
        .argument(...TRIP)
        .argument(...SEGMENT)
        .option(...DAY)
        .option(...PLACE),
    ),
    async (
      tx,
      trip,
      {
        options,
        desk,
        named,
      }: { options: GivenFields & { day?: number; place?: number }; desk: Desk; named: string[] },
    ) => {
      const id = idOf('segment', named[0])
      const { day = null, place = null } = options
      await changeSegment(tx, desk, trip, id, { day, place }, await fieldsOf(options))
      return { id }
    },
    ({ id }: Made) => `Updated ${id}.`,
    'trip.segment_updated',
  )
  onTrip(
    trip
      .command('remove-segment')
      .description('remove a segment that does not come from a booking')
      .argument(...TRIP)
      .argument(...SEGMENT),
    async (tx, trip, { named }) => {
      const id = idOf('segment', named[0])
      await removeSegment(tx, trip, id)
      return { id }
    },
    ({ id }: Made) => `Removed ${id}.`,
    'trip.segment_removed',
  )
}
