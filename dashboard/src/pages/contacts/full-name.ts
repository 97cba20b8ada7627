interface Named {
  firstName: string | null;
  lastName: string | null;
}

/** Empty for somebody without any. */
export const fullName = ({ firstName, lastName }: Named): string =>
  [firstName, lastName].filter((part) => part !== null).join(' ');
