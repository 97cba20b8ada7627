interface Named {
  firstName: string | null;
  lastName: string | null;
}

/** Returns an empty string if both names are missing. */
export const fullName = ({ firstName, lastName }: Named): string =>
  [firstName, lastName].filter((part) => part !== null).join(' ');
