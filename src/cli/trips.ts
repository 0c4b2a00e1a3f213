import { type Command, Option } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { fileBooking, unfileBooking } from '../features/filing/commands/file-booking.ts'
import { addTraveler } from '../features/trips/commands/add-traveler.ts'
import { createTrip } from '../features/trips/commands/create-trip.ts'
import { cancelTrip, changeTrip, TRIP_FIELDS } from '../features/trips/commands/update-trip.ts'
import {
  ASKED_BY,
  type AskedTrips,
  type TripRow,
  tripRows,
  type WholeTrip,
  wholeTrip,
} from '../features/trips/reads/trip-rows.ts'
import { auditOwn } from '../platform/audit.ts'
import { ACCOUNT, limitUpTo, type OfAccount } from './command.ts'
import { fieldsOf, type GivenFields, takesFields } from './fields.ts'
import { registerDays } from './trips/days.ts'
import { atAccount, idOf, onTrip, TRIP } from './trips/on-trip.ts'
import { registerSegments } from './trips/segments.ts'

const LISTED = 50
const MOST = 1_000
const FIELDS = TRIP_FIELDS.join(', ')
type Made = { readonly id: string }

export function registerTrips(program: Command): void {
  const trip = program.command('trip').description('create, update and show trips')
  registerWrites(trip)
  registerDays(trip)
  registerSegments(trip)
  registerPeople(trip)
  registerBookings(trip)
  registerReads(trip)
}

function registerWrites(trip: Command): void {
  objectCommand(
    takesFields(
      trip
        .command('create')
        .description(`create a trip of a customer: ${FIELDS}`)
        .requiredOption(...ACCOUNT)
        .requiredOption('--customer <id>', 'id of the customer')
        .option('--company <id>', 'company of the trip; the default company if omitted'),
    ),
    (options: OfAccount & GivenFields & { customer: string; company?: string }) =>
      atAccount(options, async (tx, desk) => {
        const customer = idOf('customer', options.customer)
        const id = await createTrip(tx, desk, customer, await fieldsOf(options))
        auditOwn(tx, { action: 'trip.created', subjectType: 'trip', subjectId: id, details: { customer } })
        return { id }
      }),
    ({ id }: Made) => `Created ${id}.`,
  )
  onTrip(
    takesFields(
      trip
        .command('update')
        .description(`update a trip; its days follow its dates: ${FIELDS}`)
        .argument(...TRIP),
    ),
    async (tx, id, { options, desk }: { options: GivenFields; desk: Parameters<typeof changeTrip>[1] }) => {
      await changeTrip(tx, desk, id, await fieldsOf(options))
      return { id }
    },
    ({ id }: Made) => `Updated ${id}.`,
    'trip.updated',
  )
  onTrip(
    trip
      .command('cancel')
      .description('cancel a trip permanently; its bookings do not change')
      .argument(...TRIP),
    async (tx, id, { desk }) => {
      await cancelTrip(tx, desk, id)
      return { id }
    },
    ({ id }: Made) => `Cancelled ${id}.`,
    'trip.cancelled',
  )
}

function registerPeople(trip: Command): void {
  onTrip(
    trip
      .command('add-traveler')
      .description('add a traveller to a trip')
      .argument(...TRIP)
      .option('--customer <id>', 'id of a customer')
      .option('--traveler <id>', 'id of a traveller in the directory of a customer')
      .option('--name <name>', 'a name only')
      .option('--lead', 'make this the lead traveller'),
    async (
      tx,
      id,
      { options: o }: { options: { customer?: string; traveler?: string; name?: string; lead?: true } },
    ) => ({
      id: await addTraveler(tx, id, {
        customer: o.customer === undefined ? null : idOf('customer', o.customer),
        traveler: o.traveler === undefined ? null : idOf('traveller', o.traveler),
        name: o.name ?? null,
        lead: o.lead ?? false,
      }),
    }),
    ({ id }: Made) => `Added ${id}.`,
    'trip.traveler_added',
  )
}

function registerBookings(trip: Command): void {
  const filing = (name: string, description: string, file: typeof fileBooking, done: string) =>
    onTrip(
      trip
        .command(name)
        .description(description)
        .argument(...TRIP)
        .argument('<booking>', 'id of the booking'),
      async (tx, id, { named }) => {
        const booking = idOf('booking', named[0])
        await file(tx, id, booking)
        return { id, booking }
      },
      ({ booking }) => `${done} ${booking}.`,
      `trip.booking_${done.toLowerCase()}`,
    )
  filing('file-booking', 'file a booking into a trip, with its segments', fileBooking, 'Filed')
  filing('unfile-booking', 'remove a booking from a trip permanently', unfileBooking, 'Unfiled')
}

type Asked = OfAccount & AskedTrips & { limit: number }
function registerReads(trip: Command): void {
  objectCommand(
    trip
      .command('list')
      .description('list trips by start date')
      .requiredOption(...ACCOUNT)
      .option('--q <text>', 'part of the title or reference number')
      .addOption(new Option('--status <status>', 'only this status').choices(ASKED_BY.status))
      .addOption(new Option('--scope <scope>', 'only this scope').choices(ASKED_BY.scope))
      .option('--limit <n>', `maximum number, up to ${MOST}`, limitUpTo(MOST), LISTED),
    (options: Asked) => atAccount(options, async (tx) => ({ trips: await tripRows(tx, options.limit, options) })),
    ({ trips }: { trips: TripRow[] }) => table(trips.map(listed)),
  )
  onTrip(
    trip
      .command('show')
      .description('show a trip with its days and segments')
      .argument(...TRIP),
    wholeTrip,
    tripText,
  )
}

const listed = (row: TripRow) => ({
  id: row.id,
  reference: row.reference_number,
  title: row.title,
  status: row.status,
  start: row.start_date,
  end: row.end_date,
  customer: row.primary_customer?.name ?? null,
  advisor: row.assigned_advisor?.name ?? null,
})

const tripText = (whole: WholeTrip): string =>
  [
    table([listed(whole)]),
    ...whole.days.flatMap(({ day_number, date, title, segments }) => [
      `Day ${[day_number, date, title].filter(Boolean).join('  ')}`,
      ...segments.map((segment) =>
        ['  ', segment.start_time?.slice(11), segment.segment_type, segment.title, `(${segment.status})`, segment.id]
          .filter(Boolean)
          .join(' '),
      ),
    ]),
  ].join('\n')
