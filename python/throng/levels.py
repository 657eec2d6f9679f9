"""Levels of service of walkways: where the levels B to F begin, in persons/m^2. The files of a run
have the same numbers, from measure.c."""
LETTERS = "ABCDEF"
FRUIN = (0.31, 0.43, 0.72, 1.08, 2.17)  # Fruin 1971
HBS = (0.1, 0.25, 0.6, 1.3, 1.9)  # Handbuch für die Bemessung von Straßenverkehrsanlagen, 2015
E_BEGINS = FRUIN[LETTERS.index("E") - 1]
