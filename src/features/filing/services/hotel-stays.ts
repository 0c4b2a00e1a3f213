import { joined, type Service, serviceOfDays } from '../piece.ts'

type Row = {
  readonly check_in_on: string
  readonly check_out_on: string
  readonly rooms: readonly { readonly name?: string | null }[] | null
  /** Null if the supplier is not the hotel itself but, for example, a consolidator. */
  readonly hotel: string | null
  readonly address: Readonly<Record<string, unknown>> | null
}
const ADDRESS = ['line', 'district', 'zip', 'city', 'state']

/** The nights in a hotel, on the day of the check-in. */
export const stayService = ({ check_in_on, check_out_on, rooms, hotel, address }: Row): Service | null =>
  serviceOfDays(check_in_on, check_out_on, {
    piece: 'stay',
    segment_type: 'lodging',
    title: hotel,
    description: joined([...new Set((rooms ?? []).map(({ name }) => name))], ', '),
    location_name: hotel,
    location_address: joined(
      ADDRESS.map((part) => address?.[part]).map((text) => (typeof text === 'string' ? text : null)),
      ', ',
    ),
  })
