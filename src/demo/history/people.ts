import type { SeededRandom } from './seeded-random.js';

const FIRST_NAMES =
  `Ada Alan Amara Anders Aiko Beatriz Ben Camille Chen Clara Dario Elena Elif Emeka Femke Finn Freya Grace
Hana Hugo Ines Ivan Jonas Julia Kofi Lars Leila Lena Lin Luca Maeve Marco Maya Milan Nadia Noor Olga Omar Paula Priya
Rafael Rosa Samir Sofia Tariq Tessa Tomas Vera Yara Zoe`.split(/\s+/);
const LAST_NAMES = `Abe Adler Aydin Bakker Becker Berg Brandt Carter Castro Cohen Costa Dahl Diaz Dubois Eriksen Fischer
Fontana Garcia Haas Hansen Ito Jansen Keller Khan Kovac Lang Larsen Lopez Marin Mensah Meyer Moreau Nakamura Novak
Okafor Olsen Park Patel Petit Ricci Rossi Santos Sato Schmidt Silva Torres Vogel Walker Weber Yilmaz`.split(/\s+/);
const MAIL_DOMAINS = ['example.org', 'example.net', 'example.com', 'post.example', 'mail.example'];
const COMPANIES = ['Harbour Café', 'Studio Lindqvist', 'Bakery Morgenrot', 'Hotel Miramar', 'Fjord Offices'];
const CITIES = ['Amsterdam', 'Berlin', 'Copenhagen', 'Hamburg', 'Lisbon', 'Porto', 'Vienna', 'Zurich'];
const SIGN_UP_PLACES = ['checkout', 'website', 'market stall'];
const TASTES = ['espresso', 'filter', 'decaf'];

/** `gone`: the mailbox does not exist any more. */
export type Habit = 'gone' | 'avid' | 'casual' | 'quiet';

export interface Person {
  email: string;
  firstName: string;
  lastName: string;
  company: string | null;
  tags: string[];
  /** The city of the person, and the place of the sign-up. */
  attributes: { city: string; signedUpAt: string };
  habit: Habit;
}

/** Different people, the same ones in every run. */
export function people(count: number, random: SeededRandom): Person[] {
  const known = new Map<string, Person>();
  while (known.size < count) {
    const person = anyone(random);
    if (!known.has(person.email)) known.set(person.email, person);
  }
  return [...known.values()];
}

function anyone(random: SeededRandom): Person {
  const firstName = random.pick(FIRST_NAMES);
  const lastName = random.pick(LAST_NAMES);
  const isWholesale = random.chance(0.1);
  return {
    email: `${firstName}.${lastName}@${random.pick(MAIL_DOMAINS)}`.toLowerCase(),
    firstName,
    lastName,
    company: isWholesale ? random.pick(COMPANIES) : null,
    tags: [random.pick(TASTES), ...(isWholesale ? ['wholesale'] : [])],
    attributes: { city: random.pick(CITIES), signedUpAt: random.pick(SIGN_UP_PLACES) },
    habit: habit(random.next()),
  };
}

function habit(number: number): Habit {
  if (number < 0.02) return 'gone';
  if (number < 0.3) return 'avid';
  return number < 0.75 ? 'casual' : 'quiet';
}
