interface Props {
  name: string | null;
  address: string;
}

/** The name is isolated: characters in it that reverse the direction of text do not reverse the address. */
export const NamedAddress = ({ name, address }: Props) =>
  name === null ? (
    address
  ) : (
    <>
      <bdi>{name}</bdi> {`<${address}>`}
    </>
  );
