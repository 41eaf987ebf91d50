"""A text to learn letters from: how chapters of this book begin."""

STORIES = """\
You must not be late for work, so you keep a small notebook about the bus. On three mornings you
wrote down when you left, how long the ride took, and how many seats were free: Tomorrow you leave
at 9. How long will the ride take? You still find an answer: you trust the nearer notes more. A
program with the same notebook gives up.

One winter morning, forty people cross the same square. Each of them looks once at a cheap
thermometer, and writes down the time and the temperature. Every reading is wrong by about a
degree. At half past eight nobody looked. How cold was it then? Ask the people who came shortly
before and shortly after, and average what they say. The nearer their time is to yours, the more
you trust them. In the words of chapter 1 this is attention: your time is the query, the time of a
reading is its key, its temperature is its value, and nearness decides the weights.

A market stall sells three fruits. A card beside each fruit says how sweet and how sour it is; 0
means medium. A customer, Ann, says two numbers: sweet 1, sour 1. Two keepers serve at this stall.
The first keeper measures. The nearer a card lies to Ann's point, the higher its score. That is
the kernel regression of chapter 2: the customer is the query, and the cards are the keys. The
second keeper multiplies and adds. Ann's sweet times the card's sweet, plus Ann's sour times the
card's sour, is the score. Nearly all attention today works like the second keeper. This chapter
shows how such a product comes from a distance, and what is lost.

Three sentences are computed together, in one minibatch: the cat sat down, birds sing loudly, rain
falls. They have four, three and two words. A tensor is a box, and all its rows have the same
length. So the short sentences are filled up with placeholders, the padding, until each has four
slots. The number of real words in a sentence is its valid length.

Chapter 3 had a market stall with three fruits, and one matrix product that held the scores of all
its customers. Now there is a whole market, a stall beside a stall. Each has its own customers and
its own fruits, and nobody at one stall chooses among the fruits of another. As in chapter 3, a
customer is two numbers: how much they like sweet, and how much they like sour. A fruit is how
sweet and how sour it is. A market is a minibatch, and a stall is one example of it. One large
matrix product lets every customer meet every fruit of the market, which is too much. A loop over
the stalls does the right thing, one stall after another, which is slow where stalls are many and
small. This chapter is about the third way, and about stalls that don't all have the same number
of fruits.

A school looks for pen friends. Pupils and candidates answer the same questions: Do you like dogs?
Do you play chess? Yes is 1, no is -1. For each question the school multiplies the two answers of
a pupil and a candidate: 1 where they agree, -1 where they don't. The sum is the candidate's
points. That is a dot product: the pupil's sheet is the query, the candidates' sheets are the
keys. The softmax of the points says how the pupil shares out letters among eight candidates. The
sheet has 4 questions. Somebody says that 512 questions will find the true friends. The school
begins with a test in which nobody is a true friend: a coin decides every answer. We call such
sheets tossed.

The dot product of chapter 6 multiplies the first number of the query by the first of the key, and
so on. So both must have the same size, and the same things in the same order. Often they don't.
In the translation program for which this chapter's score was published, a query had 1000 numbers
and a key 2000. Think of the desk of a library. A reader says two things: how high the pile of
unread books at home is, and how much time there is. That is the query, two numbers. A book is one
number, its thickness. That is the key. The reader wants much to read and time to spare. In all
three numbers, 0 means the usual, -1 less and 1 more. A dot product of two numbers with one number
is not defined. This chapter lets a small network look at both and give the score.

You look for a hut to sleep in. Hut A is 1 km east of the station, hut B 1 km north of it, and hut
C 2 km east and 1 km north. Your place, km east and km north of the station, is the query; a hut's
place is its key. Which hut is yours? Each score asks in its own way: The distance: which hut is
near me? The dot product: which hut lies far out in my direction, seen from the station? The
bilinear score is new, with a matrix between query and key. Ours asks: which hut lies far out to
my left, if I look away from the station? Additive attention is a network, and ours was taught the
river, half a kilometre north of the station and without a bridge: which hut is nearest on my
side?

Picture a street. At its gate every house has put up three things: a note that says what the house
is looking for, a sign that says what can be found there, and a box with the things themselves.
Somebody from each house walks down the street, holds the note against every sign, and brings home
a little from each box: the better note and sign fit, the more. A sentence is such a street, and
its words are the houses. The note is a word's query, the sign its key, the box its value. In dog
saw cat, the word saw has a note: which things are here? It comes home with much of the dog, some
of the cat and a little from its own box. (Who saw whom? That takes the order of the words:
chapter 10.) Three matrices make the notes, signs and boxes, and these matrices are learned. For
example, a model guesses the next word. After a wrong guess, training changes the matrices a
little. So training gives each word a query that finds what helps the guess. So far, queries and
keys belonged to different people, such as customers and fruits. Here every word asks, and every
word is asked: self-attention. And there are rules, the masks: some houses must not be visited.

In chapter 9, each house on the street sent one person with one note. The word saw asked which
things are here, and found mostly the dog. A house can have more than one errand. Which things are
here? Which actions? One note gives one row of weights, and one average. So several people go, one
for each errand. Each carries a note, and every house has a sign and a box for each errand. Each
errand is a head. And who saw whom? Dog saw cat and cat saw dog are two stories. Does the street
know in which order its houses stand?

A clerk copies dates into a register. People write them in many ways, here all in small letters.
The register wants 1999-06-12. The clerk puts a finger on the year and writes it, then on month
and day. There are thousands of pairs: a date as written, and its line. To find which part of one
text belongs to which of another is alignment. Here a small network learns it, in about a minute.
The finger is the additive attention of chapter 7, invented for this.

An office for lost things keeps a register. One line says A black umbrella with a wooden handle.
Somebody asks for something to keep the rain off. No important word of the question stands in the
line, and still the clerk nods. A sentence encoder does what the clerk does. It turns each
sentence into a column of numbers, its embedding, so that sentences of similar meaning point in
similar directions. To look something up, compare directions: the cosine of chapter 3. The encoder
of this chapter is real. It is all-MiniLM-L6-v2, free, and used by many search boxes. Others have
trained its 22.7 million numbers. The code that computes with them will be yours. Chapter 13 then
asks what its heads do, 12 in each of 6 layers: 72.

In a long meeting, a colleague looks at the clock most of the time. Is she waiting for the end? Or
does she look there when nobody says anything to her? Where she looks is easy to see. What she
takes home from the meeting is another question. A head is such a colleague. Its weights say where
it looks, and a picture of them makes people tell stories. In this chapter you look at all 72
heads of the model that chapter 12 has rebuilt. Then you test the stories: each claim gets an
observation that would refute it (show that it is false), a control (a case to compare with), and
a verdict. Layers and heads count from 0: head 3.1 is head 1 of layer 3. The model puts two marks
around each sentence, CLS before it and SEP after it. In its ancestors, the output at CLS said
which class a text belongs to, and SEP separated two sentences.

That is one part of the bill, arithmetic. Another is memory: what must be held, and fetched. A
processor is a fast cook with a small table. All else is in the cellar, the main memory. A
graphics card has many cooks and one cellar. What takes longer, cooking or fetching?

You copy a trained model from PyTorch to JAX. No error is raised, and the answers are wrong. Which
line is to blame? First come three differences that hurt: a mask read the other way round, a row
without keys, products with fewer digits. Then you see how far apart two right answers may be. The
same formulas go through PyTorch, JAX, TensorFlow and MXNet: the masked softmax (4.2), the scaled
dot product (6.3) and the additive score (7.3). MXNet was retired in 2023 and can't run here; its
numbers were computed once, with MXNet 1.9.1, and are stored in the package.

On the street of chapter 10, people with notes look for houses with signs. Now somebody's note
says: the house three before mine. No sign helps. Chapter 10 added a vector for the place to each
word. In this chapter the places go into the score itself.
"""
